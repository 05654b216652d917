// The API calls of the tender form, and the toasts about their results.

import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { Tender } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { toBody } from "./body.ts";
import type { PublishForm } from "./form.ts";
import type { UnsentForm } from "./unsentForm.ts";

/** Marks all loaded lists, counts and details of tenders as outdated. */
async function refreshTenders(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["tenders"] });
}

/** Among how many of the user's newest tenders the latest published one is searched. */
const MAX_SEARCHED = 20;

/** The user's latest tender that is no draft; `null` if there is none. */
export const latestTender = queryOptions({
  queryKey: ["tenders", "mine", "latest"],
  queryFn: async ({ signal }) => {
    const query = { page: 1, limit: MAX_SEARCHED };
    const { items } = await call(api.GET("/tenders/user/my-tenders", { params: { query }, signal }));
    return (items as Tender[]).find(({ status }) => status !== "draft") ?? null;
  },
  // The form does without it, so that it is never waited for.
  networkMode: "always",
  retry: false,
  staleTime: 0,
  refetchOnMount: "always",
});

export interface SaveRequest {
  form: PublishForm;
  /** `null` keeps the current status. */
  status: "draft" | "published" | null;
  /** The form in the browser's storage, with its idempotency key. */
  unsent: UnsentForm;
  /** Uploads the pending documents to the tender with this id. Returns false if one failed. */
  attach: (id: string) => Promise<boolean>;
  /** Whether documents are waiting to be uploaded. */
  hasFiles: boolean;
}

/** The saved tender, and whether all its documents are attached. */
export interface SaveResult {
  tender: Tender;
  isComplete: boolean;
}

type TenderBody = ReturnType<typeof toBody>;

async function updateTender(id: string, body: TenderBody): Promise<Tender> {
  return (await call(api.PUT("/tenders/{id}", { params: { path: { id } }, body }))).tender as Tender;
}

/**
 * Creates a tender. `isNew` is false if an earlier request, whose response was lost, created it.
 */
async function postTender(body: TenderBody, unsent: UnsentForm): Promise<{ tender: Tender; isNew: boolean }> {
  const reply = await api.POST("/tenders", {
    params: { header: { "Idempotency-Key": unsent.idempotencyKey() } },
    body,
  });
  const { tender } = await call(Promise.resolve(reply)).catch((error: unknown) => {
    if (error instanceof ApiError && error.isRefusal) unsent.discardIdempotencyKey();
    throw error;
  });
  return { tender: tender as Tender, isNew: reply.response.status === 201 };
}

async function createTender(body: TenderBody, unsent: UnsentForm): Promise<Tender> {
  const { tender, isNew } = await postTender(body, unsent);
  // The input may have changed since the request whose response was lost, so it is sent as an edit.
  return isNew ? tender : updateTender(tender._id, body);
}

/**
 * Saves a tender with its documents. A new tender is published only after the upload of its
 * documents, so that its history does not list them as a change.
 */
async function saveWithDocuments(
  id: string | null,
  { form, status, unsent, attach, hasFiles }: SaveRequest,
): Promise<SaveResult> {
  const publishesLater = id === null && status === "published" && hasFiles;
  const body = toBody(form, publishesLater ? "draft" : status);
  const tender = id ? await updateTender(id, body) : await createTender(body, unsent);
  const isComplete = await attach(tender._id);
  return {
    tender: publishesLater && isComplete ? await updateTender(tender._id, toBody(form, status)) : tender,
    isComplete,
  };
}

/** Creates a tender, or updates the one with this id. */
export function useSaveTender(id: string | null) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: SaveRequest) => saveWithDocuments(id, request),
    onSuccess: ({ tender }) => {
      const isHeld = tender.moderation?.heldAt != null;
      toast.success(t(isHeld ? "publish.held" : id ? "publish.updated" : "publish.created"));
      return refreshTenders(client);
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), {
        description: messageOf(error, t(id ? "publish.updateFailed" : "publish.createFailed")),
      }),
  });
}

export type TenderDocument = NonNullable<Tender["documents"]>[number];

/** Attaches a file to a tender. `onProgress` receives the sent fraction, from 0 to 1. */
export async function uploadDocument(
  tenderId: string,
  file: File,
  onProgress: (part: number) => void,
): Promise<{ document: TenderDocument }> {
  return upload(`/tenders/${tenderId}/documents`, file, { onProgress });
}

export async function deleteDocument(tenderId: string, documentId: string): Promise<void> {
  const path = { id: tenderId, document: documentId };
  await call(api.DELETE("/tenders/{id}/documents/{document}", { params: { path } }));
}
