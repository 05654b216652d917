// The second step of a sign-in.

import { useTranslation } from "@/i18n/i18n.ts";
import { SecondFactorForm } from "@/shared/secondFactor/SecondFactorForm.tsx";
import { Button } from "@/ui/Button.tsx";
import { type SecondFactorChallenge, useProveSecondFactor } from "./api.ts";

export function SecondFactorStep({
  challenge,
  remember,
  onCancel,
}: {
  challenge: SecondFactorChallenge;
  /** Whether the session continues after the browser is closed. */
  remember: boolean;
  /** Returns to the first step. */
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const prove = useProveSecondFactor(remember);
  return (
    <SecondFactorForm
      challenge={challenge}
      passkeyText={t("account.secondFactor.passkeyText")}
      action={t(prove.isPending ? "account.login.busy" : "account.login.submit")}
      isPending={prove.isPending}
      error={prove.error}
      failedText={t("account.login.failed")}
      onProof={(proof) => prove.mutate(proof)}
      onOtherWay={prove.reset}
    >
      <Button variant="plain" size="small" onClick={onCancel}>
        {t("account.secondFactor.back")}
      </Button>
    </SecondFactorForm>
  );
}
