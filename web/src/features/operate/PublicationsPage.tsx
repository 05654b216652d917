// The page that lists the tenders of new publishers, which wait for a check. An administrator
// publishes or refuses them.

import { useInfiniteQuery } from "@tanstack/react-query";
import { Inbox, LockKeyhole } from "lucide-react";
import { type ReactNode, useContext, useState } from "react";
import { Link } from "react-router";
import type { HeldPublication, Publisher } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { ConfirmDialog } from "@/shared/dialogs/ConfirmDialog.tsx";
import { ReasonDialog } from "@/shared/dialogs/ReasonDialog.tsx";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { placeName } from "@/shared/tender/place.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Badge } from "@/ui/Badge.tsx";
import { Button } from "@/ui/Button.tsx";
import { EmptyState } from "@/ui/StatusMessages.tsx";
import { heldPublications, usePublicationDecision } from "./api.ts";
import { OperatePage } from "./OperatePage.tsx";
import { PartialList } from "./PartialList.tsx";

const nameOf = ({ firstName, lastName }: Publisher) => `${firstName} ${lastName}`.trim();

interface DialogProps {
  publication: HeldPublication;
  onClose: () => void;
}

function ApproveDialog({ publication: { tender, revision, publisher }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const decision = usePublicationDecision(tender._id);
  return (
    <ConfirmDialog
      title={t("operate.publications.approveTitle")}
      onClose={onClose}
      confirm={
        <Button
          disabled={decision.isPending}
          onClick={() => decision.mutate({ kind: "approve", revision }, { onSettled: onClose })}
        >
          {t("operate.publications.approveConfirm")}
        </Button>
      }
    >
      <p className="font-semibold break-words text-ink">{tender.title}</p>
      <p className="mt-1">
        {t("operate.publications.approveHelp", { count: publisher.held, name: nameOf(publisher) })}
      </p>
    </ConfirmDialog>
  );
}

function RefuseDialog({ publication: { tender }, onClose }: DialogProps) {
  const { t } = useTranslation();
  const decision = usePublicationDecision(tender._id);
  return (
    <ReasonDialog
      title={t("operate.publications.refuseTitle")}
      reasonHelp={t("operate.publications.reasonHelp")}
      confirm={t("operate.publications.refuseConfirm")}
      isDestructive
      isPending={decision.isPending}
      onReason={(reason) => decision.mutate({ kind: "refuse", reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="font-semibold break-words text-ink">{tender.title}</p>
      <p className="mt-1">{t("operate.publications.refuseHelp")}</p>
    </ReasonDialog>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className="w-28 shrink-0 text-ink-soft">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

/** The account of the publisher, in the same place of each entry. */
function PublisherFacts({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation();
  const { published, refused, takenDown } = publisher;
  const counts = [
    published > 0 && t("operate.publications.published", { count: published }),
    refused > 0 && t("operate.publications.refused", { count: refused }),
    takenDown > 0 && t("operate.publications.takenDown", { count: takenDown }),
    publisher.held > 1 && t("operate.publications.held", { count: publisher.held }),
  ].filter((count): count is string => typeof count === "string");
  const search = new URLSearchParams({ search: publisher.email }).toString();
  return (
    <dl className="grid content-start gap-1 rounded-lg bg-well px-4 py-3 text-[0.9375rem]">
      <Fact label={t("operate.publications.publisher")}>
        <Link to={`${paths.operateUsers}?${search}`} className="font-semibold text-accent hover:underline">
          {nameOf(publisher)}
        </Link>
        {publisher.lockedAt && (
          <>
            {" "}
            <Badge tone="urgent" icon={LockKeyhole}>
              {t("operate.publications.locked")}
            </Badge>
          </>
        )}
        <br />
        {publisher.company ?? t("operate.publications.noCompany")}
      </Fact>
      <Fact label={t("operate.publications.domain")}>
        <strong className="font-semibold">{publisher.domain}</strong>
        <br />
        <span className="break-all">{publisher.email}</span>
        {publisher.phone && (
          <>
            <br />
            {publisher.phone}
          </>
        )}
      </Fact>
      <Fact label={t("operate.publications.registeredLabel")}>{formatMoment(publisher.createdAt)}</Fact>
      <Fact label={t("operate.publications.earlier")}>
        {counts.length > 0 ? counts.join(", ") : t("operate.publications.noEarlier")}
      </Fact>
    </dl>
  );
}

function PublicationRow({ publication }: { publication: HeldPublication }) {
  const { t } = useTranslation();
  const clock = useContext(ClockContext);
  const [dialog, setDialog] = useState<"approve" | "refuse" | null>(null);
  const { tender, heldAt, publisher } = publication;
  const language = tender.language ?? undefined;
  const closing = tender.dates?.closing;
  const isLate = closing != null && Date.parse(closing) < clock();
  const contact = tender.organization?.contactPerson;
  const contacts = [contact?.name, contact?.email, contact?.phone].filter(Boolean).join(", ");
  const documents = tender.documents?.length ?? 0;
  const facts = [
    tender.category && vocabularyName("category", tender.category, t),
    tender.referenceNo && t("operate.publications.reference", { reference: tender.referenceNo }),
    placeName(tender.location, t, true),
    documents > 0 && t("operate.publications.documents", { count: documents }),
  ].filter((fact): fact is string => typeof fact === "string" && fact !== "");
  const close = () => setDialog(null);
  return (
    <article className="grid gap-4 px-4 py-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0">
        <p className="text-sm text-ink-soft">
          {t("operate.publications.submitted", { moment: formatMoment(heldAt) })}
        </p>
        <h2 lang={language} className="mt-0.5 text-[1.0625rem] font-semibold break-words">
          {tender.title}
        </h2>
        <p className="break-words text-ink-soft">
          <span lang={language} className="font-medium text-ink">
            {tender.organization?.name}
          </span>
          {facts.length > 0 && ` · ${facts.join(" · ")}`}
        </p>
        <p className="text-[0.9375rem]">
          {closing && t("operate.publications.closes", { moment: formatMoment(closing) })}
          {isLate && (
            <>
              {" "}
              <Badge tone="urgent">{t("operate.publications.closed")}</Badge>
            </>
          )}
        </p>
        {contacts && (
          <p className="text-[0.9375rem] break-words">
            {t("operate.publications.contact", { contact: contacts })}
          </p>
        )}
        <p lang={language} className="mt-2 line-clamp-4 max-w-[75ch] break-words">
          {tender.description}
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Button disabled={isLate || publisher.lockedAt !== null} onClick={() => setDialog("approve")}>
            {t("operate.publications.approve")}
          </Button>
          <Button variant="outlined" onClick={() => setDialog("refuse")}>
            {t("operate.publications.refuse")}
          </Button>
          <Link
            to={paths.tender(tender._id)}
            className="inline-flex min-h-11 items-center px-1 font-medium text-accent underline"
          >
            {t("operate.publications.open")}
          </Link>
        </div>
      </div>
      <PublisherFacts publisher={publisher} />
      {dialog === "approve" && <ApproveDialog publication={publication} onClose={close} />}
      {dialog === "refuse" && <RefuseDialog publication={publication} onClose={close} />}
    </article>
  );
}

export function Component() {
  const { t } = useTranslation();
  const list = useInfiniteQuery(heldPublications);
  return (
    <OperatePage title={t("operate.publications.title")}>
      <p className="mt-1 mb-6 max-w-[75ch] text-ink-soft">{t("operate.publications.intro")}</p>
      <PartialList
        list={list}
        items={list.data?.pages.flatMap(({ publications }) => publications) ?? []}
        keyOf={({ number }) => number}
        empty={
          <EmptyState icon={<Inbox size={22} />} title={t("operate.publications.none")}>
            {t("operate.publications.noneHelp")}
          </EmptyState>
        }
      >
        {(publication) => <PublicationRow publication={publication} />}
      </PartialList>
    </OperatePage>
  );
}
