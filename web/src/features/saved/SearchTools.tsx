// The tools of the listing. Everybody can make the current search an alert; users can save it, and guests
// get a feed of it.

import { BookmarkPlus, Rss } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Link } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { needsUpgrade } from "@/shared/plans/upgradeError.ts";
import { useAccount } from "@/shared/session/account.ts";
import { AlertLink, TOOL_STYLE } from "@/shared/tender/AlertLink.tsx";
import { type Filters, toSearchQuery } from "@/shared/tender/filters.ts";
import { newAlertPath } from "@/shared/tender/newAlertPath.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { TextField } from "@/ui/Field.tsx";
import { toast } from "@/ui/toasts.ts";
import { useSaveSearch } from "./api.ts";
import { FeedDialog } from "./FeedDialog.tsx";

const MAX_SEARCH_NAME_LENGTH = 100;

function NameSearchDialog({
  query,
  name: initialName,
  onClose,
}: {
  query: string;
  name: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const formId = useId();
  const [name, setName] = useState(initialName);
  const [missing, setMissing] = useState(false);
  const save = useSaveSearch();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === "");
    if (name.trim() === "") return;
    save.mutate(
      { name: name.trim(), query },
      {
        onSuccess: () => {
          toast.success(t("tenders.saved.searchSaved"));
          onClose();
        },
      },
    );
  };
  const refusal = save.error ? messageOf(save.error, t("tenders.saved.failed")) : null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tenders.saved.saveSearch")}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {t("tenders.saved.cancel")}
          </Button>
          <Button type="submit" form={formId} disabled={save.isPending}>
            {t("tenders.saved.save")}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="mt-3 text-ink">
        <TextField
          label={t("tenders.saved.name")}
          value={name}
          maxLength={MAX_SEARCH_NAME_LENGTH}
          error={missing ? t("tenders.saved.nameMissing") : (refusal ?? undefined)}
          messageId={`${formId}-message`}
          onChange={(event) => setName(event.target.value)}
        />
        {needsUpgrade(save.error) && (
          <ButtonLink to={paths.pricing} variant="outlined" size="small" className="mt-3">
            {t("plans.view")}
          </ButtonLink>
        )}
      </form>
    </Dialog>
  );
}

/** The tools beside the sort order. `description` is the suggested name of a saved search. */
export function SearchTools({ filters, description }: { filters: Filters; description: string }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const [naming, setNaming] = useState(false);
  const [showsFeed, setShowsFeed] = useState(false);
  const query = toSearchQuery(filters);
  const link = `${TOOL_STYLE} font-semibold text-accent`;
  return (
    <div className="flex items-center gap-x-2 gap-y-1 sm:flex-wrap sm:gap-x-4 print:hidden">
      {status !== "loading" && <AlertLink path={newAlertPath(filters)} />}
      {status === "signed-in" && (
        <>
          <button type="button" className={link} onClick={() => setNaming(true)}>
            <BookmarkPlus size={16} aria-hidden />
            <span className="max-sm:sr-only">{t("tenders.saved.saveSearch")}</span>
          </button>
          <Link to={paths.saved} className={`${link} max-sm:hidden`}>
            {t("tenders.saved.title")}
          </Link>
        </>
      )}
      {status === "guest" && (
        <button type="button" onClick={() => setShowsFeed(true)} className={`${TOOL_STYLE} text-ink-soft`}>
          <Rss size={16} aria-hidden />
          <span className="max-sm:sr-only">{t("tenders.saved.feed")}</span>
        </button>
      )}
      {showsFeed && <FeedDialog query={query} onClose={() => setShowsFeed(false)} />}
      {naming && (
        <NameSearchDialog
          query={query}
          name={description.slice(0, MAX_SEARCH_NAME_LENGTH)}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}
