// The left column of the listing: sectors as filters, the categories with the most tenders, and,
// for buyers, the number of suppliers.

import { Users } from "lucide-react";
import type { ReactNode } from "react";
import type { Stats } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECTORS, type Sector } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Collapsible } from "@/ui/Collapsible.tsx";

const SHOWN_CATEGORIES = 6;

interface SidebarProps {
  /** The number of registered suppliers. */
  supplierCount: number | undefined;
  /** The number of tenders of each sector, with the other filters. */
  sectors: ReadonlyMap<string, number> | undefined;
  /** The number of tenders of no sector; `undefined` while it is unknown. */
  other: number | undefined;
  /** The categories with their numbers of tenders in the list without a card, the greatest number first. */
  categories: Stats["categoryStats"] | undefined;
  active: Sector | null;
  forBuyer: boolean;
  onChoose: (sector: Sector) => void;
}

function SidebarSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-sheet p-4">
      <h2 className="mb-2 text-[0.9375rem] font-semibold">{title}</h2>
      {children}
    </section>
  );
}

export function SectorSidebar(props: SidebarProps) {
  const { supplierCount, sectors, other, categories, active, forBuyer, onChoose } = props;
  const { t } = useTranslation();
  const shown = categories?.slice(0, SHOWN_CATEGORIES).filter(({ count }) => count > 0);
  return (
    <Collapsible label={t("tenders.browse")}>
      <div className="grid gap-4">
        {forBuyer && (
          <SidebarSection title={t("tenders.suppliers.title")}>
            <p className="flex items-center gap-2 text-[0.9375rem]">
              <Users size={18} aria-hidden className="text-accent" />
              {supplierCount === undefined ? "–" : t("tenders.suppliers.count", { count: supplierCount })}
            </p>
          </SidebarSection>
        )}
        <SidebarSection title={t("tenders.sectors")}>
          <ul className="-mx-2">
            {SECTORS.map((sector) => (
              <li key={sector}>
                <button
                  type="button"
                  aria-pressed={active === sector}
                  onClick={() => onChoose(sector)}
                  className="flex min-h-9 w-full items-center justify-between gap-3 rounded-lg px-2 text-left text-[0.9375rem] hover:bg-accent-wash hover:text-accent aria-pressed:bg-accent-wash aria-pressed:font-semibold aria-pressed:text-accent max-lg:min-h-11"
                >
                  {t(`tenders.sector.${sector}`)}{" "}
                  {sectors && <span className="text-ink-soft">{sectors.get(sector) ?? 0}</span>}
                </button>
              </li>
            ))}
            {other !== undefined && other > 0 && (
              <li className="flex min-h-9 items-center justify-between gap-3 px-2 text-[0.9375rem] text-ink-soft max-lg:min-h-11">
                {t("home.sector.other")} <span>{other}</span>
              </li>
            )}
          </ul>
        </SidebarSection>
        <SidebarSection title={t("tenders.categories")}>
          {!shown ? (
            <p className="text-sm text-ink-soft">–</p>
          ) : shown.length === 0 ? (
            <p className="text-sm text-ink-soft">{t("tenders.noCounts")}</p>
          ) : (
            <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-ink-soft">
              {shown.map(({ _id, name, count }) => (
                <li key={_id}>
                  <span>{vocabularyName("category", name || _id, t)}</span> {count}
                </li>
              ))}
            </ul>
          )}
        </SidebarSection>
      </div>
    </Collapsible>
  );
}
