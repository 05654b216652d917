// The page of a body that invites bids: its tenders, its usual terms, its corrigenda and its awards.

import { useQuery } from "@tanstack/react-query";
import { Landmark } from "lucide-react";
import { Fragment } from "react";
import { Link, useParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import type { BuyerDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { AwardAmount, AwardSource, AwardWinners } from "@/shared/awards/AwardFacts.tsx";
import { useNow } from "@/shared/clock.ts";
import { formatDay } from "@/shared/format/dates.ts";
import { MarketTabs } from "@/shared/page/MarketTabs.tsx";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { RequestId } from "@/shared/page/RequestId.tsx";
import { paths } from "@/shared/paths.ts";
import { AlertLink } from "@/shared/tender/AlertLink.tsx";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { bodyAlertPath } from "@/shared/tender/newAlertPath.ts";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner } from "@/ui/StatusMessages.tsx";
import { buyerDetails, isMissing } from "./api.ts";
import { BuyerTenders } from "./BuyerTenders.tsx";
import { BuyerTerms } from "./BuyerTerms.tsx";
import { CountTable } from "./CountTable.tsx";
import { countRows } from "./countRows.tsx";
import { linkStyle } from "./linkStyle.ts";

/** With fewer tenders, a table of categories or districts says no more than a line. */
const MIN_TABULATED = 3;

/** The words of an unknown body's address, for a search. */
function wordsOf(slug: string): string {
  return slug.replaceAll("-", " ").slice(0, 200);
}

function Awards({ buyer }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t("market.buyer.awards")} anchor="awards">
      <p className="-mt-4 max-w-[70ch] text-sm text-ink-soft">{t("market.buyer.awardsHelp")}</p>
      <ul className="mt-2 divide-y divide-line">
        {buyer.newestAwards.map((award) => (
          <li key={award._id} className="grid gap-0.5 py-3 text-[0.9375rem]">
            <h3 className="font-semibold wrap-anywhere">
              <PrintedTitle printed={award.title} />
            </h3>
            <p>
              <AwardWinners award={award} />
              {award.amounts.length > 0 && " · "}
              {award.amounts.length > 0 && <AwardAmount award={award} />}
            </p>
            <p>
              <AwardSource award={award} />
            </p>
          </li>
        ))}
      </ul>
      {buyer.awards > buyer.newestAwards.length && (
        <Link to={paths.awardsOfBuyer(buyer.slug)} className={`${linkStyle} inline-block py-1 font-semibold`}>
          {t("market.buyer.allAwards")}
        </Link>
      )}
    </SectionCard>
  );
}

/** Whether the body has too few tenders for tables of them. */
const isSmall = ({ open, past }: BuyerDetails) => open + past < MIN_TABULATED;

/** What a body with few tenders buys, and where, in a line. */
function Fields({ buyer: { categories, districts } }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  const values = (counts: BuyerDetails["categories"]) => counts.flatMap(({ value }) => value ?? []);
  const places = values(districts);
  const fields = values(categories).map((value) => vocabularyName("category", value, t));
  if (fields.length + places.length === 0) return null;
  return (
    <p className="text-[0.9375rem] text-ink-soft">
      {fields.join(", ")}
      {fields.length > 0 && places.length > 0 && " · "}
      {places.map((value, index) => (
        <Fragment key={value}>
          {index > 0 && ", "}
          <Link to={paths.marketDistrict(value)} className={`${linkStyle} inline-block py-1`}>
            {vocabularyName("district", value, t)}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

/** That no tender is open, and when the last one closed, if that is certain. */
function NoneOpen({ buyer }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  const now = useNow();
  // The past tenders begin with the last closing. One that ended early closes later than it ended.
  const [last] = buyer.pastTenders;
  const closing = last?.isClosingCertain ? last.closing : null;
  const isKnown = closing != null && Date.parse(closing) < now;
  return (
    <span className="py-1">
      {isKnown
        ? t("market.buyer.noneSince", { day: formatDay(closing) })
        : t("market.buyer.openCount", { count: 0 })}
    </span>
  );
}

function Head({ buyer }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  // A name in capitals is shown in the same form as the others.
  const form = (name: string) => displayTitle(name).toLowerCase();
  const otherNames = buyer.names.filter((name) => form(name) !== form(buyer.name));
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h1 className="max-w-[40ch] min-w-0 text-3xl leading-tight font-bold tracking-tight wrap-anywhere">
          <PrintedTitle printed={buyer.name} />
        </h1>
        <AlertLink path={bodyAlertPath(buyer.name)} look="filled" label={t("market.buyer.alert")} />
      </div>
      {otherNames.length > 0 && (
        <p className="mt-1 text-[0.9375rem] text-ink-soft wrap-anywhere">
          {t("market.buyer.alsoPrinted", { names: otherNames.join("; ") })}
        </p>
      )}
      <p className="mt-2 flex flex-wrap gap-x-5 text-[0.9375rem]">
        {(["open", "past", "awards"] as const).map((name) => {
          // A section without content is not on the page, or has nothing to show.
          if (buyer[name] === 0) return name === "open" ? <NoneOpen key={name} buyer={buyer} /> : null;
          const text =
            name === "awards"
              ? t("market.buyer.awardCount", { count: buyer.awards })
              : t(`market.buyer.${name}Count`, { count: buyer[name] });
          return (
            <a key={name} href={`#${name}`} className={`${linkStyle} py-1`}>
              {text}
            </a>
          );
        })}
      </p>
      {isSmall(buyer) && <Fields buyer={buyer} />}
    </>
  );
}

function Counts({ buyer }: { buyer: BuyerDetails }) {
  const { t } = useTranslation();
  return (
    <>
      <CountTable
        caption={t("market.buyer.categories")}
        head={t("market.buyer.category")}
        rows={countRows(t, {
          counts: buyer.categories,
          name: (value) => vocabularyName("category", value, t),
          part: () => null,
        })}
      />
      <CountTable
        caption={t("market.buyer.districts")}
        head={t("market.filter.district")}
        rows={countRows(t, {
          counts: buyer.districts,
          name: (value) => vocabularyName("district", value, t),
          part: paths.marketDistrict,
        })}
      />
    </>
  );
}

function Missing({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("market.buyer.missing")}
        description={t("market.buyer.missingText")}
        keywords={t("market.list.keywords")}
        unlisted
      />
      <h1 className="sr-only">{t("market.buyer.missing")}</h1>
      <EmptyState
        icon={<Landmark size={22} />}
        title={t("market.buyer.missing")}
        action={
          <ButtonLink
            to={`${paths.tenders}?${new URLSearchParams({ search: wordsOf(slug) })}`}
            variant="outlined"
          >
            {t("market.buyer.findTenders")}
          </ButtonLink>
        }
      >
        {t("market.buyer.missingText")}
      </EmptyState>
    </>
  );
}

function Content({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(buyerDetails(slug));
  if (isMissing(error)) return <Missing slug={slug} />;
  if (error && !data) {
    return (
      <ErrorBanner
        title={t("market.error", { message: messageOf(error, t("market.errorFallback")) })}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      >
        <RequestId error={error} />
      </ErrorBanner>
    );
  }
  if (!data) {
    return <div role="status" aria-label={t("market.buyer.loading")} className="skeleton h-96 rounded-xl" />;
  }
  const { name, open, past } = data;
  return (
    <>
      <Metadata
        title={displayTitle(name)}
        description={t("market.buyer.description", { name, open, past })}
        keywords={t("market.buyer.keywords", { name })}
        kind="ItemPage"
        about={{ "@type": "Organization", name }}
      />
      <Head buyer={data} />
      <div
        className={`mt-5 grid items-start gap-5 ${isSmall(data) ? "max-w-4xl" : "lg:grid-cols-[minmax(0,1fr)_24rem]"}`}
      >
        <div className="grid min-w-0 gap-5">
          <BuyerTenders buyer={data} show="open" />
          <BuyerTerms buyer={data} />
          {data.past > 0 && <BuyerTenders buyer={data} show="past" />}
          {data.newestAwards.length > 0 && <Awards buyer={data} />}
        </div>
        {!isSmall(data) && (
          <div className="grid min-w-0 gap-5">
            <Counts buyer={data} />
          </div>
        )}
      </div>
    </>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { slug = "" } = useParams();
  return (
    <Page className="py-8">
      <MarketTabs />
      <p>
        <Link to={paths.buyers} className={`${linkStyle} inline-block py-1`}>
          {t("market.buyer.all")}
        </Link>
      </p>
      <Content slug={slug} />
    </Page>
  );
}
