// The page to which the payment provider sends the user after a cancelled payment.

import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Sheet } from "@/ui/Sheet.tsx";

export function Component() {
  const { t } = useTranslation();
  return (
    <Sheet title={t("plans.cancelled.title")}>
      <Metadata
        title={t("plans.cancelled.title")}
        description={t("plans.cancelled.text")}
        keywords={t("plans.keywords")}
        unlisted
      />
      <div className="grid gap-5">
        <p className="text-ink-soft">{t("plans.cancelled.text")}</p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.pricing}>{t("plans.cancelled.plans")}</ButtonLink>
          <ButtonLink to={paths.contact} variant="outlined">
            {t("plans.success.contact")}
          </ButtonLink>
        </div>
      </div>
    </Sheet>
  );
}
