// The dialog that asks for the second factor while a change of the account waits for it. A page with
// such changes shows it once.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useSyncExternalStore } from "react";
import { api, call } from "@/api/client.ts";
import { ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { onSecondFactorRequest, type SecondFactorRequest, secondFactorRequest } from "./request.ts";
import { type GetProof, SecondFactorForm } from "./SecondFactorForm.tsx";

const hasExpired = (error: Error): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === "challenge");

function PromptDialog({ request }: { request: SecondFactorRequest }) {
  const { t } = useTranslation();
  const messageId = useId();
  const challenge = useQuery({
    queryKey: ["second-factor-challenge"],
    queryFn: ({ signal }) => call(api.POST("/auth/second-factor/challenge", { signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const prove = useMutation({
    mutationFn: async (proof: GetProof) => call(api.PUT("/auth/second-factor", { body: await proof() })),
    retry: false,
    onSuccess: request.proved,
    onError: (error) => {
      if (hasExpired(error)) void challenge.refetch();
    },
  });
  const failedText = t("account.settings.saveFailed");
  return (
    <Dialog
      open
      onClose={request.cancel}
      title={t("account.secondFactor.stepTitle")}
      actions={
        <Button variant="outlined" onClick={request.cancel}>
          {t("account.settings.cancel")}
        </Button>
      }
    >
      <div className="text-ink">
        {challenge.data && (
          <SecondFactorForm
            challenge={challenge.data}
            passkeyText={t("account.secondFactor.passkeyChangeText")}
            action={t("account.secondFactor.confirm")}
            isPending={prove.isPending}
            error={prove.error}
            failedText={failedText}
            onProof={(proof) => prove.mutate(proof)}
            onOtherWay={prove.reset}
          />
        )}
        <FormMessage id={messageId}>{challenge.error && messageOf(challenge.error, failedText)}</FormMessage>
      </div>
    </Dialog>
  );
}

export function SecondFactorPrompt() {
  const request = useSyncExternalStore(onSecondFactorRequest, secondFactorRequest);
  return request && <PromptDialog request={request} />;
}
