// Past awards like the tender of the page, with the spread of their amounts.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { PastAward } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AwardAmount, AwardSource, AwardWinners } from "@/shared/awards/AwardFacts.tsx";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { pastAwards } from "../api.ts";
import { AmountStrip } from "./AmountStrip.tsx";

/** The number of awards that are shown at first. */
const SHOWN = 5;

function AwardItem({ award }: { award: PastAward }) {
  const { t } = useTranslation();
  return (
    <li className="px-4 py-3">
      {award.isOutcome && (
        <p className="mb-1 inline-block rounded bg-accent-wash px-2 py-0.5 text-sm font-semibold text-accent">
          {t("awards.outcome")}
        </p>
      )}
      <p className="font-semibold wrap-anywhere">{award.title}</p>
      {award.lot && <p className="text-[0.9375rem] text-ink-soft">{t("awards.lot", { lot: award.lot })}</p>}
      <p className="text-[0.9375rem]">
        <AwardWinners award={award} /> · <AwardAmount award={award} />
      </p>
      <p className="text-[0.9375rem] text-ink-soft">
        {award.body && `${award.body} · `}
        <AwardSource award={award} />
      </p>
    </li>
  );
}

export function PastAwards({ id }: { id: string }) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const { data } = useQuery(pastAwards(id));
  if (!data || data.awards.length === 0) return null;
  const shown = isWhole ? data.awards : data.awards.slice(0, SHOWN);
  return (
    <section aria-labelledby="past-awards" className="mt-8 print:hidden">
      <h2 id="past-awards" className="text-lg font-bold tracking-tight">
        {t("awards.past")}
      </h2>
      <p className="text-[0.9375rem] text-ink-soft">
        {t("awards.pastHelp")}{" "}
        <Link to={paths.awards} className="text-accent underline underline-offset-2">
          {t("awards.all")}
        </Link>
      </p>
      {data.spreads.map((spread) => (
        <AmountStrip key={spread.currency} spread={spread} />
      ))}
      <ul className="mt-3 divide-y divide-line rounded-xl border border-line bg-sheet">
        {shown.map((award) => (
          <AwardItem key={award._id} award={award} />
        ))}
      </ul>
      {shown.length < data.awards.length && (
        <div className="mt-3">
          <Button variant="outlined" size="small" onClick={() => setWhole(true)}>
            {t("awards.showMore", { count: data.awards.length - shown.length })}
          </Button>
        </div>
      )}
    </section>
  );
}
