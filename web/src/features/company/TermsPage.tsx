// The terms page. Its text comes from the translations.

import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { TextPage, TextSection } from "./TextPage.tsx";

const SECTIONS = ["service", "accuracy", "account", "publishing", "use", "payment", "end", "law"] as const;

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("company.terms.title")}
        description={t("company.terms.description")}
        keywords={t("company.terms.keywords")}
      />
      <TextPage title={t("company.terms.title")} lead={t("company.terms.lead")}>
        {SECTIONS.map((part) => (
          <TextSection key={part} title={t(`company.terms.parts.${part}.title`)}>
            <p>{t(`company.terms.parts.${part}.text`)}</p>
          </TextSection>
        ))}
      </TextPage>
    </>
  );
}
