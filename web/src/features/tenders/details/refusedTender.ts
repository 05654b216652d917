// The summary of a tender that the user can't open. The data comes from the server's refusal, from
// a loaded list, or from the prerendered page.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/error.ts";
import { initialAddress, prerenderedTender } from "@/api/prerendered.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";

export interface RefusedTender {
  title: string;
  language: string | undefined;
  /** The organisation and the closing time as texts, if they are known. */
  lines: string[];
  closing: string | null;
  /** The status, if it is known. The server does not tell it of a locked tender. */
  status: Tender["status"] | undefined;
}

function toRefusedTender(tender: Tender | LockedTender, t: Translate): RefusedTender {
  const closing = tender.dates?.closing ?? null;
  const closes = closing && `${t("tenders.details.closes")} ${formatMoment(closing)}`;
  return {
    title: tender.title ?? "",
    language: ("language" in tender && tender.language) || undefined,
    lines: [tender.organization?.name, closes].filter((line): line is string => Boolean(line)),
    closing,
    status: "status" in tender ? tender.status : undefined,
  };
}

function findInLists(client: QueryClient, id: string): Tender | LockedTender | undefined {
  const lists = client.getQueriesData<{ tenders?: (Tender | LockedTender)[] }>({ queryKey: ["tenders"] });
  return lists.flatMap(([, list]) => list?.tenders ?? []).find(({ _id }) => _id === id);
}

/**
 * The summary of the tender, if `error` says that the user's plan does not permit opening it.
 * `null` for other errors, or if nothing is known about the tender.
 */
export function useRefusedTender(id: string, error: Error | null): RefusedTender | null {
  const { t } = useTranslation();
  const client = useQueryClient();
  if (!(error instanceof ApiError) || !error.plan) return null;
  const found = error.tender ?? findInLists(client, id);
  if (found) return toRefusedTender(found, t);
  if (!prerenderedTender || initialAddress.pathname !== paths.tender(id)) return null;
  return { ...prerenderedTender, closing: null, status: undefined };
}
