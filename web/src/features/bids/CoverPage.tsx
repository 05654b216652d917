// The cover page of a bid, for printing on A4. It shows the tender, its closing, the bidder, the place of
// delivery, the papers of the bid and the steps before its delivery with boxes to tick, and the fields for
// signatures.

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { BidChecklistRow, BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { bidDetails, isInWork } from "@/shared/bids.ts";
import { companyProfile } from "@/shared/company.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { PrintablePage } from "@/shared/page/PrintablePage.tsx";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";
import { placeLess, rowText, sumOf, waysOf } from "./checklistText.ts";
import { type CoverPart, coverPartOf } from "./coverParts.ts";
import { profileFacts } from "./profileFacts.ts";
import { rowNames } from "./rowNames.ts";
import { submissionOf } from "./submission.ts";
import { type ToDo, toDoOf, unstatedRows } from "./toDo.ts";
import { Unstated } from "./Unstated.tsx";

function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${isWide ? "col-span-full" : ""}`}>
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="font-medium wrap-anywhere print:leading-snug">{children}</dd>
    </div>
  );
}

/** The marks of rows that are not from the notice. A footnote explains each. */
const MARKS = { law: "§", "usual-practice": "*" } as const;

type MarkedBasis = keyof typeof MARKS;

/** What something rests on instead of the notice; `null` if it has no mark. */
function markedBasis(item: ToDo): MarkedBasis | null {
  const basis = item.kind === "row" ? item.row.derived?.basis : undefined;
  return basis === "law" || basis === "usual-practice" ? basis : null;
}

/** A row with a box. */
function BoxedRow({
  title,
  facts,
  lacks = [],
  isDone,
  basis,
}: {
  title: string;
  facts: readonly string[];
  /** What the company profile lacks of it. */
  lacks?: readonly string[];
  isDone: boolean;
  basis: MarkedBasis | null;
}) {
  const { t } = useTranslation();
  return (
    <li className="flex break-inside-avoid items-start gap-2.5 py-1 print:py-px">
      <span
        role="img"
        aria-label={t(isDone ? "bids.cover.ready" : "bids.cover.notReady")}
        className="mt-0.5 grid size-4 shrink-0 place-items-center border border-ink text-xs leading-none font-bold"
      >
        {isDone ? "✓" : ""}
      </span>
      <span className="min-w-0 flex-1 text-sm leading-snug print:leading-tight">
        <span className="line-clamp-3 wrap-anywhere">
          {title}
          {basis && ` ${MARKS[basis]}`}
        </span>
        {facts.length > 0 && (
          <span className="line-clamp-3 text-xs text-ink-soft wrap-anywhere">{facts.join(" · ")}</span>
        )}
        {lacks.map((text) => (
          <span key={text} className="flex items-start gap-1 text-xs font-semibold text-soon print:text-ink">
            <TriangleAlert size={13} aria-hidden className="mt-px shrink-0" />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </span>
        ))}
      </span>
    </li>
  );
}

/**
 * A row in words, which says if the notice does not ask for it. The sheet says above the rows how and where
 * the bid is delivered, so the row of the delivery leaves it out.
 */
function boxText(row: BidChecklistRow, details: BidDetails, t: Translate) {
  const { derived } = row;
  const { title, facts } = rowText(row, details, t);
  // The sheet quotes these words above.
  if (derived?.kind === "envelope-marked" && derived.printed) return { title, facts: [] };
  if (derived?.kind !== "deliver") {
    const isAsked = derived?.basis !== "not-stated";
    return { title, facts: isAsked ? facts : [t("bids.checklist.basis.not-stated"), ...facts] };
  }
  const { publishedBy } = details.bid.tender;
  const above = [
    waysOf(derived, t),
    derived.place && t(`bids.checklist.printed.${publishedBy}`, { text: derived.place }),
    placeLess(derived, publishedBy, t),
  ];
  return { title, facts: facts.filter((fact) => !above.includes(fact)) };
}

/** Something to be done, as a box. */
function Box({ item, details }: { item: ToDo; details: BidDetails }) {
  const { t } = useTranslation();
  const { data: profile } = useQuery(companyProfile);
  if (item.kind === "row") {
    const { bid, notice } = details;
    const held = profile ? profileFacts(item.row, profile.company, bid.tender.closing, notice, t) : [];
    return (
      <BoxedRow
        {...boxText(item.row, details, t)}
        lacks={held.filter(({ isWarning }) => isWarning).map(({ text }) => text)}
        isDone={item.isDone}
        basis={markedBasis(item)}
      />
    );
  }
  return (
    <BoxedRow
      title={item.task.title}
      facts={item.due ? [t("bids.task.due", { day: formatDay(item.due) })] : []}
      isDone={item.isDone}
      basis={null}
    />
  );
}

/** The footnotes to the marks that the rows have. */
function Footnotes({ items }: { items: readonly ToDo[] }) {
  const { t } = useTranslation();
  const used = new Set(items.map(markedBasis));
  const texts = { law: t("bids.cover.law"), "usual-practice": t("bids.checklist.basis.usual-practice") };
  return (["law", "usual-practice"] as const).map(
    (basis) =>
      used.has(basis) && (
        <p key={basis} className="mt-1.5 text-xs text-ink-soft print:mt-0.5">
          {`${MARKS[basis]} ${texts[basis]}`}
        </p>
      ),
  );
}

/** A part of the sheet with its heading. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4 border-t border-line pt-3 print:mt-1.5 print:pt-1">
      <h2 className="mb-1 font-semibold break-after-avoid">{title}</h2>
      {children}
    </section>
  );
}

/** The papers and the steps as boxes, and the conditions of the notice, each in the order of the work. */
function Boxes({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const items = toDoOf(details, (row) => rowNames(row, details));
  // What was not done before the delivery is no longer to be done.
  const isOver = !isInWork(details.bid.stage);
  const isShown = (item: ToDo) => !isOver || coverPartOf(item) !== "steps" || item.isDone;
  const inPart = (part: CoverPart) => items.filter((item) => coverPartOf(item) === part && isShown(item));
  const conditions = inPart("conditions").flatMap((item) =>
    item.kind === "row" ? [{ key: item.key, text: rowText(item.row, details, t).title }] : [],
  );
  return (
    <>
      {(["papers", "steps"] as const).map((part) => {
        const boxes = inPart(part);
        return (
          boxes.length > 0 && (
            <Part key={part} title={t(`bids.cover.${part}`)}>
              <ul className="gap-x-8 sm:columns-2 print:columns-2">
                {boxes.map((item) => (
                  <Box key={item.key} item={item} details={details} />
                ))}
              </ul>
            </Part>
          )
        );
      })}
      {conditions.length > 0 && (
        <Part title={t("bids.cover.conditions")}>
          <ul className="grid gap-1 text-sm leading-snug print:gap-0.5 print:leading-tight">
            {conditions.map(({ key, text }) => (
              <li key={key} className="line-clamp-3 wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Unstated details={details} rows={unstatedRows(details, items)} />
      <Footnotes items={[...inPart("papers"), ...inPart("steps")]} />
    </>
  );
}

/** The fields in which people sign. */
function Signatures() {
  const { t } = useTranslation();
  return (
    <div className="mt-5 grid break-inside-avoid gap-x-8 gap-y-6 border-t-2 border-ink pt-3 sm:grid-cols-2 print:mt-3 print:grid-cols-2">
      {(["prepared", "signs"] as const).map((role) => (
        <div
          key={role}
          className="grid gap-x-4 text-xs text-ink-soft sm:grid-cols-[minmax(0,1fr)_6rem] print:grid-cols-[minmax(0,1fr)_6rem]"
        >
          <p className="col-span-full text-sm font-semibold text-ink">{t(`bids.cover.${role}`)}</p>
          <p className="col-span-full mt-6 border-t border-ink pt-0.5">{t("bids.cover.name")}</p>
          <p className="mt-6 border-t border-ink pt-0.5">{t("bids.cover.signature")}</p>
          <p className="mt-6 border-t border-ink pt-0.5">{t("bids.cover.date")}</p>
        </div>
      ))}
    </div>
  );
}

function CoverSheet({ details }: { details: BidDetails }) {
  const { t } = useTranslation();
  const { user } = useAccount();
  const { bid, checklist, deadlines } = details;
  const { tender } = bid;
  const find = (kind: string) => checklist?.find(({ derived }) => derived?.kind === kind)?.derived;
  const delivery = find("deliver");
  const ways = waysOf(delivery, t);
  const closing = deadlines.find(({ kind }) => kind === "closing");
  // Everybody knows that a Monday follows a weekend.
  const before = closing?.closedBefore?.reason === "weekend" ? null : closing?.closedBefore;
  const closedDays = [before, closing?.closed].filter((day) => day != null);
  const opening = deadlines.find(({ kind }) => kind === "opening")?.at;
  const unstated = (
    <span className="font-normal text-ink-soft">{t(`bids.deadline.notStated.${tender.publishedBy}`)}</span>
  );
  const { data: profile } = useQuery(companyProfile);
  const registrations = [
    ["businessRegistration", profile?.company.businessRegistration],
    ["vat", profile?.company.vat],
  ] as const;
  const security = find("bid-security");
  const securitySum = security && sumOf(security, bid.value, t);
  const copies = find("copies")?.printed;
  const marking = find("envelope-marked")?.printed;
  const submitted = isInWork(bid.stage) ? undefined : submissionOf(details);
  const bidder = user && (user.company || `${user.firstName} ${user.lastName}`);
  return (
    <article className="rounded-2xl border border-line bg-sheet px-5 py-7 shadow-sheet sm:px-9 sm:py-9 print:border-0 print:p-0 print:leading-snug print:shadow-none">
      <header>
        <p className="text-sm font-semibold text-ink-soft">{t("bids.cover.heading")}</p>
        <h1 className="mt-1 text-2xl leading-snug font-bold wrap-anywhere print:text-xl">
          <PrintedTitle printed={tender.title} />
        </h1>
        <p className="mt-1 text-lg wrap-anywhere">
          <PrintedTitle printed={tender.organization} />
        </p>
      </header>
      <div className="mt-4 border-y-2 border-ink py-3 print:mt-2 print:py-1.5">
        <p className="text-sm font-semibold">{t("bids.deadline.kind.closing")}</p>
        <p className="text-[2rem] leading-tight font-bold tabular-nums print:text-[1.75rem]">
          {tender.closing ? formatMoment(tender.closing) : unstated}
        </p>
        {submitted && (
          <p className="text-sm font-semibold">
            {t("bids.cover.submitted", { moment: formatMoment(submitted.at) })}
          </p>
        )}
        {tender.isClosingDoubtful && <p className="text-sm">{t("bids.deadline.doubtful")}</p>}
        {closedDays.map(({ day, reason }) => (
          <p key={day} className="text-sm font-semibold">
            {day === before?.day && `${t("shell.tender.dayBefore")} `}
            {t(`bids.deadline.isClosed.${reason}`, { day: formatDay(day) })}
          </p>
        ))}
      </div>
      <dl className="mt-3 grid gap-x-8 gap-y-2.5 sm:grid-cols-2 print:mt-2 print:grid-cols-2 print:gap-y-1">
        <Fact name={t("bids.cover.bidder")}>
          <span className="text-lg font-bold">{bidder}</span>
          {user?.phone && <span className="block text-sm font-normal">{user.phone}</span>}
          {registrations.map(
            ([name, number]) =>
              number && (
                <span key={name} className="block text-sm font-normal">
                  {`${t(`account.company.${name}`)}: ${number}`}
                </span>
              ),
          )}
        </Fact>
        <Fact name={t("bids.cover.reference")}>
          <span className="text-lg">{find("envelope-marked")?.text ?? unstated}</span>
        </Fact>
        {ways && (
          <Fact name={t("tenders.head.submit")} isWide>
            <span className="block first-letter:uppercase">{ways}</span>
          </Fact>
        )}
        <Fact name={t("bids.cover.place")} isWide>
          {delivery?.place && <span className="block">{`“${delivery.place}”`}</span>}
          {delivery?.signed && !delivery.place && (
            <>
              <span className="block">{delivery.signed}</span>
              <span className="block text-sm font-normal">{t("bids.cover.addressUnder")}</span>
            </>
          )}
          {delivery?.signed && delivery.place && placeLess(delivery, tender.publishedBy, t)}
          {!delivery?.signed && !delivery?.place && unstated}
        </Fact>
        {marking && (
          <Fact name={t("bids.cover.marked")} isWide>
            {marking}
          </Fact>
        )}
        {securitySum && (
          <Fact name={t("bids.checklist.kind.bid-security")}>
            <span className="text-lg font-bold tabular-nums">{securitySum}</span>
          </Fact>
        )}
        {copies && (
          <Fact name={t("bids.checklist.kind.copies")} isWide>
            {`“${copies}”`}
          </Fact>
        )}
        {opening && <Fact name={t("bids.deadline.kind.opening")}>{formatMoment(opening)}</Fact>}
        {bid.owner && <Fact name={t("bids.owner")}>{bid.owner.name}</Fact>}
      </dl>
      {checklist === null && (
        <p className="mt-4 border-t border-line pt-3 text-ink-soft">{t("bids.checklist.locked")}</p>
      )}
      <Boxes details={details} />
      <Signatures />
      <p className="mt-3 text-xs text-ink-soft print:mt-2">
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
