// The open or the past tenders of a body, page by page. The address has the page.

import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import type { BuyerDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { useNow } from "@/shared/clock.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { paths } from "@/shared/paths.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { TenderRow } from "@/shared/tender/TenderRow.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { buyerTenders } from "./api.ts";

type BuyerTender = BuyerDetails["openTenders"][number];

const PAGE_SIZE = 10;
const MAX_PAGE = 10_000;

function OpenTender({ tender }: { tender: BuyerTender }) {
  const { t } = useTranslation();
  return (
    <TenderRow tender={tender} isOfOne isClosingCertain={tender.isClosingCertain}>
      {!tender.closing && <p className="text-sm text-ink-soft">{t("market.buyer.noClosing")}</p>}
    </TenderRow>
  );
}

function PastTender({ tender }: { tender: BuyerTender }) {
  const { t } = useTranslation();
  const now = useNow();
  const { _id, title, language, closing, isClosingCertain } = tender;
  // A tender that is cancelled or awarded is past before its closing.
  const isEarly = closing != null && Date.parse(closing) > now;
  const closed = closing
    ? t("market.buyer.closed", { moment: formatMoment(closing) })
    : t("market.buyer.noClosing");
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-5 py-2">
      <h3 lang={language ?? undefined} className="min-w-0 grow basis-72">
        <Link to={paths.tender(_id)} className="wrap-anywhere hover:text-accent hover:underline">
          <PrintedTitle printed={title} />
        </Link>
      </h3>
      <p className="text-sm text-ink-soft">
        {isEarly ? t("market.buyer.ended") : closed}
        {closing && !isEarly && !isClosingCertain && ` (${t("market.buyer.notCertain")})`}
      </p>
    </li>
  );
}

export function BuyerTenders({ buyer, show }: { buyer: BuyerDetails; show: "open" | "past" }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const asked = Number(parameters.get(show) ?? "1");
  const page = Number.isInteger(asked) && asked >= 1 && asked <= MAX_PAGE ? asked : 1;
  const isOpen = show === "open";
  const first = isOpen ? buyer.openTenders : buyer.pastTenders;
  const count = isOpen ? buyer.open : buyer.past;
  const { data } = useDeferredValue(useQuery({ ...buyerTenders(buyer.slug, show, page), enabled: page > 1 }));
  const tenders = page === 1 ? first : (data?.tenders ?? []);
  const total = Math.ceil(count / PAGE_SIZE);
  const addressOf = (page: number) => {
    const query = new URLSearchParams(parameters);
    query.set(show, String(page));
    if (page === 1) query.delete(show);
    return query.size === 0 ? pathname : `${pathname}?${query}`;
  };
  const Row = isOpen ? OpenTender : PastTender;
  return (
    <SectionCard title={t(isOpen ? "market.buyer.openTenders" : "market.buyer.pastTenders")} anchor={show}>
      {count === 0 && <p className="text-ink-soft">{t("market.buyer.noOpen")}</p>}
      <ul className="-mt-3 divide-y divide-line">
        {tenders.map((tender) => (
          <Row key={tender._id} tender={tender} />
        ))}
      </ul>
      {total > 1 && (
        <PageButtons
          pagination={{ current: page, total, totalCount: count, hasPrev: page > 1, hasNext: page < total }}
          addressOf={addressOf}
        />
      )}
    </SectionCard>
  );
}
