// The API calls of the reports feature.

import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { saveFile } from "@/api/saveFile.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";
import { type Format, isComplete, type ReportDraft, type ReportQuery } from "./form.ts";

export const reportList = queryOptions({
  queryKey: ["reports", "list"],
  queryFn: ({ signal }) => call(api.GET("/reports", { signal })),
  staleTime: 30 * SECOND,
  gcTime: 5 * MINUTE,
});

/** A report's count and first rows. Old data stays on the screen while new data loads. */
export function reportPreview(report: ReportQuery) {
  return queryOptions({
    queryKey: ["reports", "preview", report],
    queryFn: ({ signal }) => call(api.POST("/reports/preview", { body: report, signal })),
    enabled: isComplete(report),
    staleTime: 30 * SECOND,
    gcTime: MINUTE,
    placeholderData: keepPreviousData,
  });
}

/** Returns a function that loads the saved reports again. */
function useRefreshReports(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: reportList.queryKey });
}

/** Creates or updates a saved report. */
export function useSaveReport() {
  const refresh = useRefreshReports();
  return useMutation({
    mutationFn: async ({ id, name, isMonthly, definition }: ReportDraft) => {
      const body = { name, isMonthly, asked: definition };
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
  const refresh = useRefreshReports();
  return useMutation({
    mutationFn: (id: string) => call(api.DELETE("/reports/{id}", { params: { path: { id } } })),
    onSuccess: () => void toast.success(t("reports.saved.deleted")),
    onError: (error) => void toast.error(t("reports.failed"), { description: messageOf(error, "") }),
    onSettled: refresh,
  });
}

/** Downloads a report as a file. The report need not be saved. */
export function useDownloadReport() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async ({ draft: { name, definition }, format }: { draft: ReportDraft; format: Format }) =>
      saveFile(
        await api.POST("/reports/file", { body: { name, asked: definition, format }, parseAs: "blob" }),
        `report.${format}`,
      ),
    retry: false,
    onError: (error) => void toast.error(t("reports.downloadFailed"), { description: messageOf(error, "") }),
  });
}
