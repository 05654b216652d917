// The usual terms of a body: its notice period, its bid security and its document fees. With too few
// tenders, the tenders themselves are listed, and terms with one or two values stand together.

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { BuyerDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { paths } from "@/shared/paths.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";

/** Terms with fewer values than these stand together. */
const MIN_LISTED = 3;

type SpreadName = "noticeDays" | "bondPercentage" | "bondAmount" | "documentFee";
type Spread = BuyerDetails[SpreadName];

const NAMES: readonly SpreadName[] = ["noticeDays", "bondPercentage", "bondAmount", "documentFee"];

function useFormat(name: SpreadName): (value: number) => string {
  const { t } = useTranslation();
  // Half days and half percents come from medians of an even number of tenders.
  const short = (value: number) => String(Math.round(value * 10) / 10);
  return (value) => {
    if (name === "noticeDays") return t("market.buyer.days", { count: Math.round(value * 10) / 10 });
    if (name === "bondPercentage") return t("market.buyer.percent", { value: short(value) });
    if (name === "documentFee" && value === 0) return t("market.buyer.free");
    return formatAmount(value, "LKR");
  };
}

function Values({ spread, format }: { spread: Spread; format: (value: number) => string }) {
  const { t } = useTranslation();
  const { count, summary, tenders } = spread;
  if (summary) {
    const { min, lower, median, upper, max } = summary;
    return (
      <>
        <p className="text-lg font-semibold tabular-nums">
          {t("market.buyer.median", { value: format(median) })}
        </p>
        <p className="text-[0.9375rem]">
          {t("market.buyer.half", { lower: format(lower), upper: format(upper) })}{" "}
          {t("market.buyer.range", { min: format(min), max: format(max) })}
        </p>
        <p className="text-sm text-ink-soft">{t("market.buyer.basis", { count })}</p>
      </>
    );
  }
  return (
    <>
      <ul className="mt-1 text-[0.9375rem]">
        {tenders.map(({ tender, title, value }) => (
          <li key={tender} className="flex flex-wrap items-baseline gap-x-4 py-1 sm:flex-nowrap">
            <span className="w-32 shrink-0 font-medium tabular-nums">{format(value)}</span>
            <Link
              to={paths.tender(tender)}
              className="min-w-0 text-accent underline underline-offset-2 wrap-anywhere"
            >
              <PrintedTitle printed={title} />
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-sm text-ink-soft">
        {t("market.buyer.tooFew", { count })}{" "}
        {count > tenders.length && t("market.buyer.older", { count: count - tenders.length })}
      </p>
    </>
  );
}

/** One or two values of a term. */
function FewValues({ name, spread }: { name: SpreadName; spread: Spread }) {
  const { t } = useTranslation();
  const format = useFormat(name);
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 text-[0.9375rem]">
      <dt className="font-semibold">{t(`market.buyer.${name}`)}</dt>
      {spread.tenders.map(({ tender, title, value }) => (
        <dd key={tender}>
          <Link
            to={paths.tender(tender)}
            title={displayTitle(title)}
            className="inline-block py-1 text-accent tabular-nums underline underline-offset-2"
          >
            {format(value)}
          </Link>
        </dd>
      ))}
    </div>
  );
}

function Term({ name, spread, help }: { name: SpreadName; spread: Spread; help?: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat(name);
  return (
    <div className="min-w-0 py-3">
      <h3 className="font-semibold">{t(`market.buyer.${name}`)}</h3>
      <Values spread={spread} format={format} />
      {help && <p className="mt-1 text-sm text-ink-soft">{help}</p>}
    </div>
  );
}

/** The terms of a body. What its few notices do not state is left out. */
export function BuyerTerms({ buyer }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  const { changes } = buyer;
  const isFew = (name: SpreadName) => !buyer[name].summary && buyer[name].count < MIN_LISTED;
  const stated = NAMES.filter((name) => buyer[name].count > 0);
  const [few, usual] = [stated.filter(isFew), stated.filter((name) => !isFew(name))];
  const hasUsual = NAMES.some((name) => buyer[name].summary);
  const absent = hasUsual ? NAMES.filter((name) => buyer[name].count === 0) : [];
  if (stated.length === 0 && changes.changed === 0) return null;
  return (
    <SectionCard
      title={
        usual.length > 0 || few.length === 0
          ? t("market.buyer.terms")
          : t("market.buyer.termsIn", { count: buyer.open + buyer.past })
      }
    >
      <p className="-mt-4 text-sm text-ink-soft">{t("market.buyer.termsHelp")}</p>
      <div className="mt-1 divide-y divide-line">
        {usual.map((name) => (
          <Term
            key={name}
            name={name}
            spread={buyer[name]}
            help={name === "noticeDays" && t("market.buyer.noticeHelp")}
          />
        ))}
        {few.length > 0 && (
          <div className="py-3">
            <p className="text-[0.9375rem] text-ink-soft">{t("market.buyer.few")}</p>
            <dl className="mt-1 grid gap-x-5 sm:grid-cols-2">
              {few.map((name) => (
                <FewValues key={name} name={name} spread={buyer[name]} />
              ))}
            </dl>
          </div>
        )}
        {absent.length > 0 && (
          <p className="py-3 text-[0.9375rem] text-ink-soft">
            {t("market.buyer.notStatedTerms", {
              terms: absent.map((name) => t(`market.buyer.${name}`)).join("; "),
            })}
          </p>
        )}
        {(hasUsual || changes.changed > 0) && (
          <div className="py-3">
            <h3 className="font-semibold">{t("market.buyer.changes")}</h3>
            <p className="text-[0.9375rem]">
              {changes.changed === 0
                ? t("market.buyer.unchanged")
                : t("market.buyer.changed", { count: changes.changed })}{" "}
              {changes.extended > 0 &&
                t("market.buyer.extended", { count: changes.extended, days: changes.days })}
            </p>
          </div>
        )}
      </div>
    </SectionCard>
  );
}
