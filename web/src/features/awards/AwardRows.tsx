// The list of awards: rows with columns on wide screens, and cards on phones.

import { useId } from "react";
import { Link } from "react-router";
import type { Award } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AwardAmount, AwardSource, AwardWinners } from "@/shared/awards/AwardFacts.tsx";
import { paths } from "@/shared/paths.ts";

const columns =
  "lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)_minmax(0,2.5fr)_minmax(0,2.5fr)] lg:gap-x-5";

/** A fact with its label. The label is the head of the column on wide screens. */
function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="text-[0.9375rem] max-lg:mt-1.5 max-lg:flex max-lg:flex-wrap max-lg:gap-x-2">
      <dt className="text-ink-soft lg:sr-only">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function AwardRow({ award }: { award: Award }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li>
      <article aria-labelledby={id} className={`px-4 py-3.5 ${columns}`}>
        <div className="min-w-0">
          <h2 id={id} className="font-semibold wrap-anywhere">
            {award.title}
          </h2>
          {award.lot && (
            <p className="text-[0.9375rem] text-ink-soft wrap-anywhere">
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
        <dl className="lg:contents">
          <Fact label={t("awards.winner")}>
            <AwardWinners award={award} />
          </Fact>
          <Fact label={t("awards.amount")}>
            <AwardAmount award={award} />
          </Fact>
          <Fact label={t("awards.decided")}>
            {award.body && (
              <p className="wrap-anywhere">
                <Link
                  to={paths.buyer(award.body)}
                  className="inline-block py-0.5 hover:text-accent hover:underline"
                >
                  {award.body}
                </Link>
              </p>
            )}
            <AwardSource award={award} />
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
        {[t("awards.bought"), t("awards.winner"), t("awards.amount"), t("awards.decided")].map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <ul className="divide-y divide-line">
        {awards.map((award) => (
          <AwardRow key={award._id} award={award} />
        ))}
      </ul>
    </div>
  );
}
