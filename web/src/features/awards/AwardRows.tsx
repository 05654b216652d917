// The list of awards: rows with columns on wide screens, and cards on phones. A winner and a body lead
// to their other awards.

import { useId } from "react";
import { Link } from "react-router";
import type { Award } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AwardAmount, AwardSource, AwardWinners } from "@/shared/awards/AwardFacts.tsx";
import { formatDay } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";

const columns =
  "lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,2.25fr)_minmax(0,3fr)] lg:gap-x-6";

/** A fact with its label. The label is the head of the column on wide screens. */
function Fact({
  label,
  isNumber = false,
  isOnlyWide = false,
  children,
}: {
  label: string;
  /** Whether wide screens show the fact at the right of its column. */
  isNumber?: boolean;
  /** Whether narrow screens leave the fact out. */
  isOnlyWide?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div
      className={`text-[0.9375rem] max-lg:mt-1.5 max-lg:grid-cols-[6.5rem_minmax(0,1fr)] max-lg:gap-x-3 ${isOnlyWide ? "max-lg:hidden" : "max-lg:grid"} ${isNumber ? "lg:text-right" : ""}`}
    >
      <dt className="text-ink-soft wrap-anywhere lg:sr-only">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function AwardRow({ award }: { award: Award }) {
  const { t } = useTranslation();
  const id = useId();
  const hasAmount = award.amounts.length > 0;
  return (
    <li>
      <article aria-labelledby={id} className={`px-4 py-3 ${columns}`}>
        <div className="min-w-0">
          <h2 id={id} title={award.title} className="line-clamp-3 font-semibold text-wrap wrap-anywhere">
            {award.title}
          </h2>
          {award.lot && (
            <p title={award.lot} className="line-clamp-2 text-sm text-ink-soft wrap-anywhere">
              {t("awards.lot", { lot: award.lot })}
            </p>
          )}
          {award.tender && (
            <Link
              to={paths.tender(award.tender)}
              className="inline-flex min-h-6 items-center text-[0.9375rem] text-accent underline underline-offset-2"
            >
              {t("awards.tender")}
            </Link>
          )}
        </div>
        <dl className="max-lg:mt-2 lg:contents">
          <Fact label={t("awards.winner")}>
            <AwardWinners award={award} />
          </Fact>
          <Fact label={t("awards.amount")} isNumber isOnlyWide={!hasAmount}>
            {hasAmount ? (
              <AwardAmount award={award} />
            ) : (
              <>
                <span aria-hidden className="text-ink-soft">
                  –
                </span>
                <span className="sr-only">{t("awards.amountNotStated")}</span>
              </>
            )}
          </Fact>
          <Fact label={t("awards.decided")}>
            <p className="flex flex-wrap items-center gap-x-2">
              <time dateTime={award.decidedOn}>{formatDay(`${award.decidedOn}T12:00:00+05:30`)}</time>
              <span className="text-sm">
                <AwardSource award={award} isShort />
              </span>
            </p>
            {award.body && (
              <p className="text-sm wrap-anywhere">
                <Link
                  to={paths.awardsOfBody(award.body)}
                  className="inline-block py-0.5 text-ink-soft hover:text-accent hover:underline"
                >
                  {award.body}
                </Link>
              </p>
            )}
          </Fact>
        </dl>
      </article>
    </li>
  );
}

export function AwardRows({ awards }: { awards: readonly Award[] }) {
  const { t } = useTranslation();
  return (
    <div className="rounded-xl border border-line bg-sheet">
      <div
        aria-hidden
        className={`hidden border-b border-line px-4 py-2 text-sm font-semibold text-ink-soft ${columns}`}
      >
        <span>{t("awards.bought")}</span>
        <span>{t("awards.winner")}</span>
        <span className="text-right">{t("awards.amount")}</span>
        <span>{t("awards.decidedBy")}</span>
      </div>
      <ul className="divide-y divide-line">
        {awards.map((award) => (
          <AwardRow key={award._id} award={award} />
        ))}
      </ul>
    </div>
  );
}
