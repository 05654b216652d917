// The page that a confirmation mail links to. The user confirms by pressing a button, because mail
// filters open links too.

import { MailCheck } from "lucide-react";
import { useContext } from "react";
import { useSearchParams } from "react-router";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { ClockContext } from "@/shared/clock.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { intendedPath } from "@/shared/session/intendedPath.ts";
import { isNewAlertPath } from "@/shared/tender/newAlertPath.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { FormMessage } from "@/ui/FormMessage.tsx";
import { Sheet } from "@/ui/Sheet.tsx";
import { useVerifyEmail } from "./api.ts";

/** The next step: what the user came for, else the first alert. */
function NextSteps() {
  const { t } = useTranslation();
  const now = useContext(ClockContext);
  const target = intendedPath(now());
  const label = isNewAlertPath(target) ? "account.verify.alert" : "account.verify.goOn";
  return (
    <div className="flex flex-wrap gap-3">
      {target ? (
        <ButtonLink to={target}>{t(label)}</ButtonLink>
      ) : (
        <ButtonLink to={paths.welcome}>{t("account.verify.welcome")}</ButtonLink>
      )}
      <ButtonLink to={paths.tenders} variant="outlined">
        {t("account.verify.next")}
      </ButtonLink>
    </div>
  );
}

export function Component() {
  const { t } = useTranslation();
  const [parameters] = useSearchParams();
  const verify = useVerifyEmail();
  const token = parameters.get("token") ?? "";
  const title = t(verify.isSuccess ? "account.verify.confirmed" : "account.verify.title");
  return (
    <Sheet title={title}>
      <Metadata
        title={title}
        description={t("account.verify.subtitle")}
        keywords={t("account.login.keywords")}
        unlisted
      />
      {verify.isSuccess ? (
        <div className="grid gap-5">
          <div role="status" className="flex items-start gap-3 rounded-lg bg-good-wash px-4 py-3 text-good">
            <MailCheck size={20} aria-hidden className="mt-0.5 shrink-0" />
            <p>{t("account.verify.done")}</p>
          </div>
          <NextSteps />
        </div>
      ) : (
        <div className="grid gap-5">
          <p className="text-ink-soft">{t("account.verify.subtitle")}</p>
          <FormMessage id="verify-message">
            {verify.error && messageOf(verify.error, t("account.verify.failed"))}
          </FormMessage>
          <Button size="large" disabled={verify.isPending} onClick={() => verify.mutate(token)}>
            {t(verify.isPending ? "account.verify.busy" : "account.verify.submit")}
          </Button>
        </div>
      )}
    </Sheet>
  );
}
