// The cover of the file of a bid, for printing on A4: the tender, its closing, the place of delivery and the
// checklist with boxes.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { BidChecklistRow, BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { PrintablePage } from "@/shared/page/PrintablePage.tsx";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { bidDetails } from "./api.ts";
import { rowText } from "./checklistText.ts";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 border-b border-line py-2 sm:grid-cols-[11rem_minmax(0,1fr)] print:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

function BoxedRow({ row }: { row: BidChecklistRow }) {
  const { t } = useTranslation();
  const { title, facts } = rowText(row, t);
  const basis = row.derived && !row.derived.printed ? t(`bids.checklist.basis.${row.derived.basis}`) : null;
  return (
    <li className="flex items-start gap-3 py-1.5">
      <span
        role="img"
        aria-label={t(row.tick ? "bids.cover.ready" : "bids.cover.notReady")}
        className="mt-1 grid size-4 shrink-0 place-items-center border border-ink text-xs leading-none font-bold"
      >
        {row.tick ? "✓" : ""}
      </span>
      <span className="min-w-0 flex-1 text-[0.9375rem] leading-snug wrap-anywhere">
        {title}
        {facts.map((fact) => (
          <span key={fact} className="block text-sm">
            {fact}
          </span>
        ))}
        {basis && <span className="block text-sm text-ink-soft">{basis}</span>}
      </span>
    </li>
  );
}

function CoverSheet({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { user } = useAccount();
  const { bid, checklist, deadlines } = details;
  const { tender } = bid;
  const rows = checklist ?? [];
  const find = (kind: string) => rows.find(({ derived }) => derived?.kind === kind)?.derived;
  // The notice's sentence about the delivery.
  const delivery = find("deliver")?.place;
  const opening = deadlines.find(({ kind }) => kind === "opening")?.at;
  const unstated = <span className="font-normal text-ink-soft">{t("bids.deadline.notStated")}</span>;
  const bidder = user && (user.company || `${user.firstName} ${user.lastName}`);
  return (
    <article className="rounded-2xl border border-line bg-sheet px-5 py-7 shadow-sheet sm:px-9 sm:py-9 print:border-0 print:p-0 print:shadow-none">
      <header className="border-b-2 border-ink pb-5">
        <p className="text-sm font-semibold text-ink-soft">{t("bids.cover.heading")}</p>
        <h1 className="mt-2 text-2xl leading-snug font-bold wrap-anywhere">{tender.title}</h1>
        <p className="mt-2 text-lg wrap-anywhere">{tender.organization}</p>
      </header>
      <dl className="mt-2">
        <Fact name={t("bids.cover.reference")}>{find("envelope-marked")?.text ?? unstated}</Fact>
        <Fact name={t("bids.deadline.kind.closing")}>
          {tender.closing ? <span className="text-lg">{formatMoment(tender.closing)}</span> : unstated}
          {tender.isClosingDoubtful && (
            <span className="block text-sm font-normal">{t("bids.deadline.doubtful")}</span>
          )}
        </Fact>
        {opening && <Fact name={t("bids.deadline.kind.opening")}>{formatMoment(opening)}</Fact>}
        <Fact name={t("bids.cover.place")}>{delivery ? `“${delivery}”` : unstated}</Fact>
        <Fact name={t("bids.cover.bidder")}>{bidder}</Fact>
        {bid.owner && <Fact name={t("bids.owner")}>{bid.owner.name}</Fact>}
      </dl>
      <h2 className="mt-6 mb-1 text-lg font-semibold">{t("bids.checklist.heading")}</h2>
      {checklist === null ? (
        <p className="text-ink-soft">{t("bids.checklist.locked")}</p>
      ) : (
        <ul className="gap-x-8 sm:columns-2 print:columns-2">
          {rows.map((row) => (
            <BoxedRow key={row.key} row={row} />
          ))}
        </ul>
      )}
      <div className="mt-8 grid grid-cols-2 gap-8 text-sm text-ink-soft">
        <p className="border-t border-ink pt-1">{t("bids.cover.signature")}</p>
        <p className="border-t border-ink pt-1">{t("bids.cover.date")}</p>
      </div>
      <p className="mt-6 text-xs text-ink-soft">
        {t("bids.cover.printed", { name: t("shell.name"), day: formatDay(new Date().toISOString()) })}
      </p>
    </article>
  );
}

function CoverOf({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(bidDetails(id));
  return (
    <PrintablePage
      back={{ to: paths.bid(id), label: t("bids.cover.back") }}
      printLabel={t("bids.cover.print")}
      loadingLabel={t("shell.loading")}
      error={error}
      failure={t("bids.loadFailed")}
    >
      {data && <CoverSheet details={data} />}
    </PrintablePage>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  return (
    <>
      <Metadata
        title={t("bids.cover.heading")}
        description={t("bids.description")}
        keywords={t("tenders.keywords")}
        unlisted
      />
      <Protected>{() => <CoverOf id={id} />}</Protected>
    </>
  );
}
