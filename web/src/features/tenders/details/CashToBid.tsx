// What a bidder pays or deposits for a bid, and until when.

import type { Bidding, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { formatAmount } from "@/shared/format/money.ts";
import { ClosedDaysNear } from "@/shared/tender/ClosedDays.tsx";
import { BiddingPart } from "./BiddingPart.tsx";

type Cost = Bidding["costs"][number];
/** A row of the costs. In a narrow box, its cells stack: the name, and below it the last day and the amount. */
const costRowStyle =
  "border-t align-top @max-sm/costs:grid @max-sm/costs:grid-cols-[minmax(0,1fr)_auto] @max-sm/costs:gap-x-3 @max-sm/costs:py-2 @max-sm/costs:*:p-0";

/** A stated amount: what it is for, its last day, and whether it is returned. */
function CostRow({
  cost,
  endedSale: lastDay,
  saleEnds,
  securityUntil,
  tender: { kind: tenderKind, status },
}: {
  cost: Cost;
  securityUntil: string | null | undefined;
  saleEnds: string | null | undefined;
  endedSale: string | null;
  tender: Pick<Tender, "kind" | "status">;
}) {
  const { kind, amount, currency, isEstimate, isRefunded, smallestOfLot, due } = cost;
  const { t } = useTranslation();
  const day = due ? formatDay(due) : "";
  const isSecurity = kind === "bid-security";
  const isRegistration = kind === "document-fee" && tenderKind === "registration";
  const dueText =
    kind === "document-fee" && saleEnds
      ? formatMoment(saleEnds)
      : isSecurity
        ? t("tenders.bidding.withBid", { day })
        : day;
  const isSaleEnded = kind === "document-fee" && lastDay !== null;
  const sum = formatAmount(amount ?? 0, currency);
  const facts = [
    kind === "contracts-act" ? null : t(isRefunded ? "tenders.bidding.refunded" : "tenders.bidding.kept"),
    smallestOfLot != null && t("tenders.bidding.allLots", { amount: formatAmount(smallestOfLot, currency) }),
    isSecurity && securityUntil && t("tenders.bidding.securityUntil", { day: formatDay(securityUntil) }),
    isSaleEnded && t("shell.tender.saleEnded", { day: formatDay(lastDay) }),
  ];
  return (
    <tr className={`border-line ${costRowStyle}`}>
      <th scope="row" className="py-2 pr-3 text-left font-normal @max-sm/costs:col-span-2">
        {t(isRegistration ? "tenders.registration.fee" : `tenders.bidding.costs.${kind}`)}
        <span className="block text-sm text-ink-soft">{facts.filter(Boolean).join(" · ")}</span>
      </th>
      <td className="py-2 pr-3">
        {due && !isSaleEnded ? (
          <>
            <span aria-hidden className="text-sm text-ink-soft @sm/costs:hidden">
              {t("tenders.bidding.lastDay")}:{" "}
            </span>
            {dueText}
            <ClosedDaysNear day={due} status={status} />
          </>
        ) : (
          <span className="text-ink-soft @max-sm/costs:hidden">–</span>
        )}
      </td>
      <td className="py-2 text-right font-medium whitespace-nowrap tabular-nums">
        {isEstimate ? t("tenders.bidding.about", { amount: sum }) : sum}
      </td>
    </tr>
  );
}

/**
 * The sum of all stated amounts in rupees, if there are several. It is a lower bound if others are not in it.
 * Nobody pays for documents that are no longer sold.
 */
function CashSum({ costs, isSaleEnded }: { costs: readonly Cost[]; isSaleEnded: boolean }) {
  const { t } = useTranslation();
  const payable = costs.filter(({ kind }) => kind !== "document-fee" || !isSaleEnded);
  const stated = payable.filter(({ amount, currency }) => amount != null && currency === "LKR");
  if (stated.length < 2) return null;
  const sum = stated.reduce((total, { amount }) => total + (amount ?? 0), 0);
  const amount = formatAmount(sum, "LKR");
  return (
    <tfoot>
      <tr className={`border-edge font-semibold ${costRowStyle}`}>
        <th scope="row" colSpan={2} className="py-2 pr-3 text-left @max-sm/costs:col-span-2">
          {t("tenders.bidding.total")}
          {payable.length < costs.length && (
            <span className="block text-sm font-normal text-ink-soft">
              {t("tenders.bidding.withoutDocuments")}
            </span>
          )}
        </th>
        <td className="py-2 text-right tabular-nums @max-sm/costs:col-span-2 @sm/costs:whitespace-nowrap">
          {stated.length < payable.length ? t("tenders.bidding.atLeast", { amount }) : amount}
        </td>
      </tr>
    </tfoot>
  );
}

interface CostsProps {
  costs: readonly Cost[];
  /** The last day of the sale of documents, if it has passed and the user may lack them. */
  endedSale: string | null;
  /** When the sale of the documents ends, if the hour is known. */
  saleEnds: string | null | undefined;
  /** The last day on which the bid security must be valid, if it is known. */
  securityUntil: string | null | undefined;
  tender: Pick<Tender, "kind" | "status">;
}

/** What a bidder pays or deposits. Costs without an amount share a line. */
function Costs({ costs, endedSale, saleEnds, securityUntil, tender }: CostsProps) {
  const { t } = useTranslation();
  const stated = costs.filter(({ amount }) => amount != null);
  const unstated = costs.filter(({ amount }) => amount == null);
  const otherDays = new Set(unstated.flatMap(({ due }) => due ?? []));
  const names = unstated.map(({ kind, due }) => {
    const name = t(`tenders.bidding.costs.${kind}`);
    return due ? `${name} (${t("tenders.bidding.due", { day: formatDay(due) })})` : name;
  });
  return (
    <div className="@container/costs min-w-0">
      {stated.length > 0 && (
        <table
          aria-label={t("tenders.bidding.cash")}
          className="w-full max-w-160 text-[0.9375rem] @max-sm/costs:block @max-sm/costs:*:block"
        >
          <thead className="@max-sm/costs:sr-only text-left text-[0.8125rem] text-ink-soft [&_th]:py-1 [&_th]:font-normal">
            <tr>
              <th scope="col">{t("tenders.bidding.what")}</th>
              <th scope="col">{t("tenders.bidding.lastDay")}</th>
              <th scope="col" className="text-right">
                {t("tenders.bidding.amount")}
              </th>
            </tr>
          </thead>
          <tbody>
            {stated.map((cost) => (
              <CostRow
                key={cost.kind}
                cost={cost}
                endedSale={endedSale}
                saleEnds={saleEnds}
                securityUntil={securityUntil}
                tender={tender}
              />
            ))}
          </tbody>
          <CashSum costs={costs} isSaleEnded={endedSale !== null} />
        </table>
      )}
      {names.length > 0 && (
        <p className="mt-1 text-sm text-ink-soft">
          {t("tenders.bidding.noAmount", { names: names.join(", ") })}
        </p>
      )}
      {[...otherDays].map((day) => (
        <ClosedDaysNear key={day} day={day} status={tender.status} />
      ))}
    </div>
  );
}

/** The costs of a tender. Those of a tender that takes no more bids are folded away. */
export function CashToBid({ hasEnded, ...costs }: CostsProps & { hasEnded: boolean }) {
  const { t } = useTranslation();
  const title = t("tenders.bidding.cash");
  if (!hasEnded) {
    return (
      <BiddingPart title={title}>
        <Costs {...costs} />
      </BiddingPart>
    );
  }
  return (
    <details>
      <summary className="cursor-pointer py-1 text-[0.8125rem] text-ink-soft max-sm:py-3">{title}</summary>
      <Costs {...costs} />
    </details>
  );
}
