// The links between the pages about the market: its figures, the bodies that invite bids, past awards.

import { NavLink } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";

const pages = { figures: paths.market, bodies: paths.buyers, awards: paths.awards } as const;

type MarketPage = keyof typeof pages;

/** The links, with the page or the part of the market that is open marked. */
export function MarketTabs() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("market.tabs.label")} className="mb-5 border-b border-line">
      <ul className="flex gap-1 overflow-x-auto">
        {(Object.keys(pages) as MarketPage[]).map((page) => (
          <li key={page} className="shrink-0">
            <NavLink
              to={pages[page]}
              className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent px-3 font-semibold text-nowrap -outline-offset-2 text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-accent"
            >
              {t(`market.tabs.${page}`)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
