// What is shown of an award: the winners, the amount, and the decision that it was read from.

import { ExternalLink } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router";
import type { Award } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";

/** The winners. Each leads to all that it won. */
export function AwardWinners({ award }: { award: Award }) {
  const { t } = useTranslation();
  if (award.winners.length === 0) {
    return <span className="text-ink-soft">{t("awards.winnerNotNamed")}</span>;
  }
  return (
    <span className="wrap-anywhere">
      {award.winners.map((winner, index) => (
        <Fragment key={winner}>
          {index > 0 && ", "}
          <Link to={paths.awardsOfWinner(winner)} className="text-accent underline underline-offset-2">
            {winner}
          </Link>
        </Fragment>
      ))}
    </span>
  );
}

export function AwardAmount({ award }: { award: Award }) {
  const { t } = useTranslation();
  if (award.amounts.length === 0) {
    return <span className="text-ink-soft">{t("awards.amountNotStated")}</span>;
  }
  const sums = award.amounts.map(({ amount, currency }) => formatAmount(amount, currency));
  return (
    <span>
      <span className="font-semibold tabular-nums">{sums.join(" + ")}</span>
      {award.taxes && <span className="text-ink-soft"> {t(`awards.taxes.${award.taxes}`)}</span>}
    </span>
  );
}

/** The link to the decision. The short one does not name its day. */
export function AwardSource({ award, isShort = false }: { award: Award; isShort?: boolean }) {
  const { t } = useTranslation();
  const day = formatDay(`${award.decidedOn}T12:00:00+05:30`);
  const label = isShort
    ? t("awards.decisionNumber", { number: award.decisionNumber })
    : t("awards.decision", { number: award.decisionNumber, day });
  const address = webAddress(award.sourceUrl);
  if (!address) return <span>{label}</span>;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer nofollow"
      className="inline-flex min-h-6 items-center gap-1 text-accent underline underline-offset-2"
    >
      {label}
      <ExternalLink size={14} aria-hidden className="shrink-0" />
      <span className="sr-only">{t("awards.opensTab")}</span>
    </a>
  );
}
