// "I intend to bid": counted at once, and taken back where the portal refuses it.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, HandCoins } from "lucide-react";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { useAccount } from "@/shared/session/account.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { toast } from "@/ui/toasts.ts";
import { type DetailedTender, tenderDetails } from "../api.ts";

/** The same tender after the reader said so or took it back. */
function after(tender: DetailedTender, intends: boolean): DetailedTender {
  const change = Number(intends) - Number(tender.intends);
  const { statistics } = tender;
  const applications = Math.max(0, statistics.applications + change);
  return { ...tender, intends, statistics: { ...statistics, applications } };
}

function useIntention(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { queryKey } = tenderDetails(id);
  return useMutation({
    mutationFn: (intends: boolean) => {
      const params = { params: { path: { id } } };
      return intends
        ? call(api.PUT("/tenders/{id}/intention", params))
        : call(api.DELETE("/tenders/{id}/intention", params));
    },
    onMutate: async (intends) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (tender) => tender && after(tender, intends));
      return before;
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.error(messageOf(error, t("tenders.intend.failed")));
    },
    onSuccess: ({ intends, statistics }) => {
      client.setQueryData(queryKey, (tender) => tender && { ...tender, intends, statistics });
    },
  });
}

export function IntendToBid({ tender }: { tender: DetailedTender }) {
  const { t } = useTranslation();
  const { status } = useAccount();
  const intention = useIntention(tender._id);
  if (tender.status !== "published" || tender.isExpired || status === "loading") return null;
  if (status === "guest") {
    return (
      <ButtonLink to={paths.login} look="outlined" size="small" className="print:hidden">
        <HandCoins size={17} aria-hidden />
        {t("tenders.intend.signIn")}
      </ButtonLink>
    );
  }
  const { intends } = tender;
  return (
    <Button
      look={intends ? "filled" : "outlined"}
      size="small"
      aria-pressed={intends}
      disabled={intention.isPending}
      onClick={() => intention.mutate(!intends)}
      className="print:hidden"
    >
      {intends ? <Check size={17} aria-hidden /> : <HandCoins size={17} aria-hidden />}
      {t("tenders.intend.button")}
    </Button>
  );
}
