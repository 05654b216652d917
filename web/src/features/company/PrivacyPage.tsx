// The privacy page. Its text comes from the translations.

import { settings } from "@/api/settings.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { TextPage, TextSection } from "./TextPage.tsx";

const SECTIONS = [
  "account",
  "use",
  "guests",
  "sessions",
  "cookies",
  "google",
  "mail",
  "newspapers",
  "rights",
  "deletion",
] as const;

export function Component() {
  const { t } = useTranslation();
  const offersGoogle = settings.googleClientId !== null;
  const lead = [t("company.privacy.lead"), ...(offersGoogle ? [] : [t("company.privacy.leadAlone")])];
  return (
    <>
      <Metadata
        title={t("company.privacy.title")}
        description={t("company.privacy.description")}
        keywords={t("company.privacy.keywords")}
      />
      <TextPage title={t("company.privacy.title")} lead={lead.join(" ")}>
        {SECTIONS.filter((part) => part !== "google" || offersGoogle).map((part) => (
          <TextSection key={part} title={t(`company.privacy.parts.${part}.title`)}>
            <p>{t(`company.privacy.parts.${part}.text`)}</p>
          </TextSection>
        ))}
      </TextPage>
    </>
  );
}
