// What may be known of a tender that its reader can't open: from the refusal, from a list that was loaded, or from the words
// that came with the page.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { firstAddress, firstWords } from "@/api/answers.ts";
import { ApiError } from "@/api/error.ts";
import type { LockedTender, Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";

export interface Stub {
  title: string;
  language: string | undefined;
  /** By whom, and when it closes. */
  lines: string[];
  closing: string | null;
}

function stubOf(tender: Tender | LockedTender, t: Translate): Stub {
  const closing = tender.dates?.closing ?? null;
  const closes = closing && `${t("tenders.details.closes")} ${formatMoment(closing)}`;
  return {
    title: tender.title ?? "",
    language: ("language" in tender && tender.language) || undefined,
    lines: [tender.organization?.name, closes].filter((line): line is string => Boolean(line)),
    closing,
  };
}

function listed(client: QueryClient, id: string): Tender | LockedTender | undefined {
  const lists = client.getQueriesData<{ tenders?: (Tender | LockedTender)[] }>({ queryKey: ["tenders"] });
  return lists.flatMap(([, list]) => list?.tenders ?? []).find(({ _id }) => _id === id);
}

/** The stub of the tender that `error` refused; `null` where nothing is known of it. */
export function useStub(id: string, error: Error | null): Stub | null {
  const { t } = useTranslation();
  const client = useQueryClient();
  if (!(error instanceof ApiError) || !error.plan) return null;
  const known = error.tender ?? listed(client, id);
  if (known) return stubOf(known, t);
  if (!firstWords || firstAddress.pathname !== paths.tender(id)) return null;
  return { ...firstWords, closing: null };
}
