// The market in figures: all of it, a district or a sector. The address has the filters.

import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";
import { MarketTabs } from "@/shared/page/MarketTabs.tsx";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { ALL_DISTRICTS, SECTORS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { SelectField } from "@/ui/Field.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { linkStyle } from "./linkStyle.ts";
import { MarketFigures } from "./MarketFigures.tsx";
import {
  MARKET_GRADES,
  type MarketFilters,
  marketPath,
  marketQueryPath,
  readMarketFilters,
} from "./marketFilters.ts";

function titleOf({ district, sector, grade }: MarketFilters, t: Translate): string {
  if (grade || (district && sector)) return t("market.title");
  if (district) return t("market.inDistrict", { name: vocabularyName("district", district, t) });
  if (sector) return t("market.inSector", { name: enumLabel(t, "tenders.sector", sector) });
  return t("market.title");
}

/** Chooses the district, the sector and the grade. A choice opens its address at once. */
function Filters({ filters }: { filters: MarketFilters }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const choose = (name: keyof MarketFilters) => (value: string) => {
    const parameters = new URL(marketQueryPath({ ...filters, [name]: value }), "http://x").searchParams;
    const chosen = readMarketFilters({}, parameters) ?? {};
    navigate(marketPath(chosen), { preventScrollReset: true });
  };
  const options = {
    district: ALL_DISTRICTS.map((value) => [value, vocabularyName("district", value, t)] as const),
    sector: SECTORS.map((value) => [value, enumLabel(t, "tenders.sector", value)] as const),
    grade: MARKET_GRADES.map((value) => [value, value] as const),
  };
  return (
    <search aria-label={t("market.filter.label")} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {(["district", "sector", "grade"] as const).map((name) => (
        <SelectField
          key={name}
          label={t(`market.filter.${name}`)}
          value={filters[name] ?? ""}
          onChange={(event) => choose(name)(event.target.value)}
        >
          <option value="">{t("market.filter.all")}</option>
          {options[name].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      ))}
    </search>
  );
}

/** In place of a district or a sector that there is not. */
function Unknown() {
  const { t } = useTranslation();
  return (
    <Page className="grid min-h-[50vh] place-items-center py-8 text-center">
      <Metadata
        title={t("shell.missing.title")}
        description={t("shell.missing.text")}
        keywords="404"
        unlisted
      />
      <div>
        <h1 className="text-2xl font-bold">{t("shell.missing.title")}</h1>
        <p className="mt-2 mb-5 text-ink-soft">{t("shell.missing.text")}</p>
        <ButtonLink to={paths.market} variant="outlined">
          {t("market.whole")}
        </ButtonLink>
      </div>
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  const part = useParams();
  const [parameters] = useSearchParams();
  const filters = readMarketFilters(part, parameters);
  if (!filters) return <Unknown />;
  const title = titleOf(filters, t);
  const isWhole = Object.keys(filters).length === 0;
  return (
    <Page className="py-8">
      <Metadata
        title={title}
        description={t("market.description")}
        keywords={t("market.keywords")}
        kind="CollectionPage"
      />
      <MarketTabs />
      {!isWhole && (
        <p>
          <Link to={paths.market} className={`${linkStyle} inline-block py-1`}>
            {t("market.whole")}
          </Link>
        </p>
      )}
      <h1 className="text-3xl font-bold tracking-tight">{title}</h1>
      {isWhole && <p className="mt-2 max-w-[70ch] text-ink-soft">{t("market.lead")}</p>}
      <div className="mt-5">
        <Filters filters={filters} />
      </div>
      <div className="mt-6">
        <MarketFigures filters={filters} />
      </div>
    </Page>
  );
}
