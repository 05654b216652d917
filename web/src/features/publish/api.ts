// Saving, moving and taking down tenders of one's own, and what each says.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { type PublishForm, toBody } from "./form.ts";
import type { Kept } from "./unsentForm.ts";

/** Lists and counters change with a tender of one's own. */
async function refresh(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["tenders"] });
}

export interface Saving {
  form: PublishForm;
  /** `null`: as it stands. */
  status: "draft" | "published" | null;
  /** Names the sending. */
  kept: Kept;
  /** Sends the documents that wait, to the tender of this id; false where one could not be sent. */
  attach: (id: string) => Promise<boolean>;
  /** Whether documents wait to be sent. */
  hasFiles: boolean;
}

/** What became of it: saved, and whether all of its documents are with it. */
export interface Outcome {
  tender: Tender;
  isWhole: boolean;
}

type Body = ReturnType<typeof toBody>;

async function edit(id: string, body: Body): Promise<Tender> {
  return (await call(api.PUT("/tenders/{id}", { params: { path: { id } }, body }))).tender as Tender;
}

/** Sends a new tender. `isNew` is false where an earlier sending, whose answer was lost, had made it. */
async function submit(body: Body, kept: Kept): Promise<{ tender: Tender; isNew: boolean }> {
  const reply = await api.POST("/tenders", {
    params: { header: { "Idempotency-Key": kept.sending() } },
    body,
  });
  const { tender } = await call(Promise.resolve(reply)).catch((error: unknown) => {
    if (error instanceof ApiError && error.isRefusal) kept.refused();
    throw error;
  });
  return { tender: tender as Tender, isNew: reply.response.status === 201 };
}

async function create(body: Body, kept: Kept): Promise<Tender> {
  const { tender, isNew } = await submit(body, kept);
  // What was typed since it was made is an edit.
  return isNew ? tender : edit(tender._id, body);
}

/** Saves it with its documents. One with documents is published when they are there: readers see no change of them after it. */
async function saveWhole(
  id: string | null,
  { form, status, kept, attach, hasFiles }: Saving,
): Promise<Outcome> {
  const waits = id === null && status === "published" && hasFiles;
  const body = toBody(form, waits ? "draft" : status);
  const tender = id ? await edit(id, body) : await create(body, kept);
  const isWhole = await attach(tender._id);
  return { tender: waits && isWhole ? await edit(tender._id, toBody(form, status)) : tender, isWhole };
}

/** Saves a new tender, or the one of this id. */
export function useSaveTender(id: string | null) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (saving: Saving) => saveWhole(id, saving),
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

/** Moves a tender to another status. */
export function useMoveTender() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: Tender["status"] }) =>
      call(api.PUT("/tenders/{id}", { params: { path: { id } }, body: { status } })),
    onSuccess: () => {
      toast.success(t("publish.updated"));
      return refresh(client);
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), { description: messageOf(error, t("publish.updateFailed")) }),
  });
}

/** Deletes a draft, or withdraws what was published. */
export function useDeleteTender() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string; isDraft: boolean }) =>
      call(api.DELETE("/tenders/{id}", { params: { path: { id } } })),
    onSuccess: (_, { isDraft }) => {
      toast.success(t(isDraft ? "publish.deleted" : "publish.withdrawn"));
      return refresh(client);
    },
    onError: (error) =>
      toast.error(t("publish.errorTitle"), { description: messageOf(error, t("publish.deleteFailed")) }),
  });
}
