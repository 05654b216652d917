// SaveRequest, moving and taking down tenders of one's own, and what each says.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { Tender } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { type PublishForm, toBody } from "./form.ts";
import type { UnsentForm } from "./unsentForm.ts";

/** Lists and counters change with a tender of one's own. */
async function refresh(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["tenders"] });
}

export interface SaveRequest {
  form: PublishForm;
  /** `null`: as it stands. */
  status: "draft" | "published" | null;
  /** Names the sending. */
  unsent: UnsentForm;
  /** Sends the documents that wait, to the tender of this id; false where one could not be sent. */
  attach: (id: string) => Promise<boolean>;
  /** Whether documents wait to be sent. */
  hasFiles: boolean;
}

/** What became of it: saved, and whether all of its documents are with it. */
export interface SaveResult {
  tender: Tender;
  isComplete: boolean;
}

type Body = ReturnType<typeof toBody>;

async function edit(id: string, body: Body): Promise<Tender> {
  return (await call(api.PUT("/tenders/{id}", { params: { path: { id } }, body }))).tender as Tender;
}

/** Sends a new tender. `isNew` is false where an earlier sending, whose answer was lost, had made it. */
async function submit(body: Body, unsent: UnsentForm): Promise<{ tender: Tender; isNew: boolean }> {
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

async function create(body: Body, unsent: UnsentForm): Promise<Tender> {
  const { tender, isNew } = await submit(body, unsent);
  // What was typed since it was made is an edit.
  return isNew ? tender : edit(tender._id, body);
}

/** Saves it with its documents. One with documents is published when they are there: readers see no change of them after it. */
async function saveWithDocuments(
  id: string | null,
  { form, status, unsent, attach, hasFiles }: SaveRequest,
): Promise<SaveResult> {
  const waits = id === null && status === "published" && hasFiles;
  const body = toBody(form, waits ? "draft" : status);
  const tender = id ? await edit(id, body) : await create(body, unsent);
  const isComplete = await attach(tender._id);
  return { tender: waits && isComplete ? await edit(tender._id, toBody(form, status)) : tender, isComplete };
}

/** Saves a new tender, or the one of this id. */
export function useSaveTender(id: string | null) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: SaveRequest) => saveWithDocuments(id, request),
    onSuccess: () => {
      toast.success(t(id ? "publish.updated" : "publish.created"));
      return refresh(client);
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), {
        description: messageOf(error, t(id ? "publish.updateFailed" : "publish.createFailed")),
      }),
  });
}

export type TenderDocument = NonNullable<Tender["documents"]>[number];

/** Attaches a file to a tender. `onProgress` gets the sent part of the file, from 0 to 1. */
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
