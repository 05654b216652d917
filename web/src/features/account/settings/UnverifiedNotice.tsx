// The notice on the account pages that the address is not confirmed.

import { MailWarning } from "lucide-react";
import type { User } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { useResendVerification } from "../signIn/api.ts";

/** Explains why mails are paused, and offers to send the confirmation mail again. */
export function UnverifiedNotice({ user: { email, mailReturned } }: { user: User }) {
  const { t } = useTranslation();
  const send = useResendVerification();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-soon-wash px-4 py-3 text-soon">
      <MailWarning size={20} aria-hidden className="shrink-0" />
      <p className="min-w-48 flex-1 text-[0.9375rem]">
        {t(`account.settings.${mailReturned ?? "unverified"}`, { email })}
      </p>
      <Button variant="outlined" size="small" disabled={send.isPending} onClick={() => send.mutate()}>
        {t("account.settings.resend")}
      </Button>
    </div>
  );
}
