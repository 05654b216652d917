// The open tenders of a part of the market whose closing is next.

import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isLocked, type LockedTender, type Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { CLOSING_PATH, isUncertain } from "@/shared/tender/fieldStates.ts";
import { placeWithDoubt } from "@/shared/tender/place.ts";
import { TenderRow } from "@/shared/tender/TenderRow.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { nextClosings } from "./api.ts";
import { listingPath } from "./listingPath.ts";
import type { MarketFilters } from "./marketFilters.ts";

function OpenTender({ tender, filters }: { tender: Tender | LockedTender; filters: MarketFilters }) {
  const { t } = useTranslation();
  const { _id, title, organization, dates } = tender;
  const known = isLocked(tender)
    ? { language: null }
    : { language: tender.language ?? null, location: tender.location ?? {}, publishedBy: tender.publishedBy };
  const closing = dates?.closing ?? null;
  return (
    <TenderRow
      tender={{ _id, title, organization: organization?.name ?? "", closing, ...known }}
      isClosingCertain={!isUncertain(tender, CLOSING_PATH)}
      place={isLocked(tender) ? "" : placeWithDoubt(tender, t)}
    >
      {filters.sector && isUncertain(tender, "category") && (
        <p className="text-sm text-soon">{t("market.sectorNotCertain")}</p>
      )}
      {!closing && <p className="text-sm text-ink-soft">{t("market.buyer.noClosing")}</p>}
    </TenderRow>
  );
}

/** The tenders, and the way to all of them; nothing while they load or if none is open. */
export function OpenTenders({ filters, count }: { filters: MarketFilters; count: number }) {
  const { t } = useTranslation();
  const { data: tenders = [] } = useQuery(nextClosings(filters));
  if (tenders.length === 0) return null;
  return (
    <SectionCard title={t("market.nextClosings")}>
      <ul className="-mt-3 divide-y divide-line">
        {tenders.map((tender) => (
          <OpenTender key={tender._id} tender={tender} filters={filters} />
        ))}
      </ul>
      {count > tenders.length && (
        <Link
          to={listingPath(filters, true, { sort: "closing" })}
          className="mt-1 inline-flex min-h-11 items-center font-semibold text-accent hover:underline"
        >
          {t("market.allOpen", { count })}
        </Link>
      )}
    </SectionCard>
  );
}
