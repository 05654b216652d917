// The links between payments and subscriptions.

import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Views } from "./Views.tsx";

export function PaymentViews() {
  const { t } = useTranslation();
  return (
    <Views
      label={t("operate.payments.views")}
      views={[
        [paths.operatePayments, t("operate.payments.unapplied")],
        [paths.operateSubscriptions, t("operate.payments.subscriptions")],
      ]}
    />
  );
}
