// Saving, moving and taking down tenders of one's own, and what each says.

import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { type PublishForm, toBody } from "./form.ts";

/** Lists and counters change with a tender of one's own. */
async function refresh(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["tenders"] });
}

export interface Saving {
  form: PublishForm;
  /** `null`: as it stands. */
  status: "draft" | "published" | null;
  /** Names this sending of the form, so that a repeated one makes no second tender. */
  submission: string;
}

/** Saves a new tender, or the one of this id. */
export function useSaveTender(id: string | null) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ form, status, submission }: Saving) => {
      const body = toBody(form, status);
      const saved = id
        ? await call(api.PUT("/tenders/{id}", { params: { path: { id } }, body }))
        : await call(api.POST("/tenders", { params: { header: { "Idempotency-Key": submission } }, body }));
      return saved.tender as Tender;
    },
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
