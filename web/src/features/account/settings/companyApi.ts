// The API call that saves the company profile.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "@/i18n/i18n.ts";
import { companyProfile, putCompany } from "@/shared/company.ts";
import { toast } from "@/ui/toasts.ts";

/** Saves the profile, and loads again whether the company may bid for each tender. */
export function useSaveCompany() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: putCompany,
    onSuccess: (saved) => {
      client.setQueryData(companyProfile.queryKey, saved);
      toast.success(t("account.company.saved"));
      return client.invalidateQueries({ queryKey: ["tenders", "details"] });
    },
  });
}
