// Keeping reports, letting them go, and fetching their files; and what each says.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { keepFile } from "@/api/file.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { toast } from "@/ui/toasts.ts";
import { reportList } from "./api.ts";
import type { Draft, Format } from "./form.ts";

function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: reportList.queryKey });
}

/** Keeps a report, or writes one anew that is kept. */
export function useSaveReport() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, name, isMonthly, asked }: Draft) => {
      const body = { name, isMonthly, asked };
      const saved = id
        ? call(api.PUT("/reports/{id}", { params: { path: { id } }, body }))
        : call(api.POST("/reports", { body }));
      return (await saved).report;
    },
    retry: false,
    onSettled: refresh,
  });
}

export function useDeleteReport() {
  const { t } = useTranslation();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/reports/{id}", { params: { path: { id } } })),
    onSuccess: () => void toast.success(t("reports.saved.deleted")),
    onError: (error) => void toast.error(t("reports.failed"), { description: messageOf(error, "") }),
    onSettled: refresh,
  });
}

/** Fetches a report's file, kept or not. */
export function useReportFile() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async ({ draft: { name, asked }, format }: { draft: Draft; format: Format }) =>
      keepFile(
        await api.POST("/reports/file", { body: { name, asked, format }, parseAs: "blob" }),
        `report.${format}`,
      ),
    retry: false,
    onError: (error) => void toast.error(t("reports.downloadFailed"), { description: messageOf(error, "") }),
  });
}
