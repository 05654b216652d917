// The page that lists the user's saved searches, with their feeds, and the saved tenders.

import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check, Copy, Search } from "lucide-react";
import { type FormEvent, Fragment, type ReactNode, useId, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { parseEnum } from "@/api/enums.ts";
import { messageOf } from "@/api/error.ts";
import type { ListedBidAnswer, LockedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { PageButtons } from "@/shared/pagination/PageButtons.tsx";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { canSaveTenders } from "@/shared/session/planAccess.ts";
import { fromSearchQuery, writeFilters } from "@/shared/tender/filters.ts";
import { ActionMenu } from "@/ui/ActionMenu.tsx";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { EmptyState, ErrorBanner, LoadingScreen } from "@/ui/StatusMessages.tsx";
import { toast } from "@/ui/toasts.ts";
import {
  SAVED_ORDERS,
  type SavedOrder,
  savedSearches,
  savedTenders,
  useDeleteSearch,
  useUpdateSearch,
} from "./api.ts";

interface SavedPageProps {
  /**
   * Renders one tender. The caller provides it, because tender cards are part of another feature.
   */
  renderTender: (tender: Tender | LockedTender, bidAnswer: ListedBidAnswer | null | undefined) => ReactNode;
}

interface SavedSearch {
  _id: string;
  name: string;
  query: string;
  feedUrl: string;
}

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

function RenameDialog({ search, onClose }: { search: SavedSearch; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
  const [name, setName] = useState(search.name);
  const change = useUpdateSearch(search._id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") change.mutate({ name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tenders.saved.rename")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("tenders.saved.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={change.isPending}>
            {t("tenders.saved.save")}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-3 text-ink">
        <TextField
          label={t("tenders.saved.name")}
          value={name}
          maxLength={100}
          error={name.trim() === "" ? t("tenders.saved.nameMissing") : undefined}
          messageId={`${formId}-message`}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

/** Copies the address of a saved search's feed. */
function CopyFeedButton({ search }: { search: SavedSearch }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(search.feedUrl);
      setCopied(true);
    } catch {
      toast.error(t("tenders.saved.copyFailed"), { description: search.feedUrl });
    }
  };
  return (
    <Button
      variant="plain"
      size="small"
      aria-label={`${t(copied ? "tenders.saved.copied" : "tenders.saved.copyFeed")}: ${search.name}`}
      onClick={() => void copy()}
    >
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {t(copied ? "tenders.saved.copied" : "tenders.saved.copyFeed")}
    </Button>
  );
}

function SearchRow({ search }: { search: SavedSearch }) {
  const { t } = useTranslation();
  const [renaming, setRenaming] = useState(false);
  const remove = useDeleteSearch();
  const change = useUpdateSearch(search._id);
  const address = writeFilters(fromSearchQuery(search.query)).toString();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <Search size={17} aria-hidden className="shrink-0 text-ink-soft" />
      <Link
        to={address === "" ? paths.tenders : `${paths.tenders}?${address}`}
        className="inline-flex min-h-11 min-w-40 flex-1 items-center font-semibold break-words hover:text-accent hover:underline"
      >
        {search.name}
      </Link>
      <CopyFeedButton search={search} />
      <ActionMenu
        label={t("tenders.saved.more", { name: search.name })}
        actions={[
          { label: t("tenders.saved.rename"), onChoose: () => setRenaming(true) },
          { label: t("tenders.saved.renewFeed"), onChoose: () => change.mutate({ renewFeed: true }) },
          {
            label: t("tenders.saved.forget"),
            isDestructive: true,
            onChoose: () => remove.mutate(search._id),
          },
        ]}
      />
      {renaming && <RenameDialog search={search} onClose={() => setRenaming(false)} />}
    </li>
  );
}

function SavedSearches() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(savedSearches);
  if (error) {
    return (
      <ErrorBanner
        title={messageOf(error, t("tenders.saved.failed"))}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  if (!data) return <LoadingScreen label={t("shell.loading")} />;
  const { searches, quota } = data;
  return (
    <Section
      title={t("tenders.saved.searches")}
      aside={
        quota !== null && (
          <p className="text-sm text-ink-soft">{t("tenders.saved.used", { used: searches.length, quota })}</p>
        )
      }
    >
      {searches.length > 0 ? (
        <>
          <ul className="divide-y divide-line rounded-xl border border-line bg-sheet">
            {searches.map((search) => (
              <SearchRow key={search._id} search={search} />
            ))}
          </ul>
          <p className="mt-2 text-sm text-ink-soft">{t("tenders.saved.feedHelp")}</p>
        </>
      ) : (
        <EmptyState
          icon={<Search size={22} />}
          title={t("tenders.saved.noSearches")}
          action={<ButtonLink to={paths.tenders}>{t("tenders.saved.browse")}</ButtonLink>}
        >
          {t("tenders.saved.noSearchesHelp")}
        </EmptyState>
      )}
    </Section>
  );
}

function addressOf(order: SavedOrder, page: number): string {
  const query = new URLSearchParams({
    ...(order !== SAVED_ORDERS[0] && { order }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? paths.saved : `${paths.saved}?${query}`;
}

function OrderSelect({ order }: { order: SavedOrder }) {
  const { t } = useTranslation();
  const id = useId();
  const navigate = useNavigate();
  return (
    <div className="flex items-center gap-2 text-sm">
      <label htmlFor={id} className="text-ink-soft">
        {t("tenders.sort.label")}
      </label>
      <select
        id={id}
        value={order}
        onChange={({ target }) =>
          navigate(addressOf(parseEnum(SAVED_ORDERS, target.value) ?? order, 1), { preventScrollReset: true })
        }
        className="min-h-8 rounded-lg border border-edge bg-sheet px-2 font-medium max-sm:min-h-11"
      >
        {SAVED_ORDERS.map((name) => (
          <option key={name} value={name}>
            {t(`tenders.saved.order.${name}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

function SavedTenders({ canSave, renderTender }: { canSave: boolean } & SavedPageProps) {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const order = parseEnum(SAVED_ORDERS, parameters.get("order")) ?? "closing";
  const page = Math.max(1, Math.trunc(Number(parameters.get("page") ?? "1")) || 1);
  const { data, error, refetch } = useQuery(savedTenders(order, page));
  if (error && !data) {
    return (
      <ErrorBanner
        title={messageOf(error, t("tenders.saved.failed"))}
        action={
          <Button variant="outlined" size="small" onClick={() => void refetch()}>
            {t("shell.tryAgain")}
          </Button>
        }
      />
    );
  }
  if (!data) return <LoadingScreen label={t("shell.loading")} />;
  const { tenders, bidAnswers, pagination } = data;
  return (
    <Section
      title={t("tenders.saved.tenders")}
      aside={pagination.totalCount > 1 && <OrderSelect order={order} />}
    >
      {tenders.length > 0 ? (
        <div className="grid gap-2.5">
          {tenders.map((tender, index) => (
            <Fragment key={tender._id}>{renderTender(tender, bidAnswers?.[index])}</Fragment>
          ))}
          <PageButtons pagination={pagination} addressOf={(page) => addressOf(order, page)} />
        </div>
      ) : (
        <EmptyState
          icon={<Bookmark size={22} />}
          title={t("tenders.saved.noTenders")}
          action={
            <ButtonLink to={canSave ? paths.tenders : paths.pricing} variant="outlined">
              {t(canSave ? "tenders.saved.browse" : "plans.view")}
            </ButtonLink>
          }
        >
          {t(canSave ? "tenders.saved.noTendersHelp" : "tenders.saved.ofPlans")}
        </EmptyState>
      )}
    </Section>
  );
}

export function SavedPage({ renderTender }: SavedPageProps) {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("tenders.saved.title")}
        description={t("tenders.saved.description")}
        keywords={t("tenders.keywords")}
        unlisted
      />
      <Protected>
        {(user) => (
          <Page className="py-8">
            <h1 className="text-2xl font-bold tracking-tight">{t("tenders.saved.title")}</h1>
            <SavedSearches />
            <SavedTenders canSave={canSaveTenders(user)} renderTender={renderTender} />
          </Page>
        )}
      </Protected>
    </>
  );
}
