// The Privacy page: plain text from the catalogue.

import { Metadata } from "@/app/Metadata.tsx";
import { useTranslation } from "@/locales/i18n.ts";
import { Text, TextPart } from "./Text.tsx";

const PARTS = ["account", "use", "guests", "sessions", "mail", "newspapers", "rights"] as const;

export function Component() {
  const { t } = useTranslation();
  return (
    <>
      <Metadata
        title={t("company.privacy.title")}
        description={t("company.privacy.description")}
        keywords={t("company.privacy.keywords")}
      />
      <Text title={t("company.privacy.title")} lead={t("company.privacy.lead")}>
        {PARTS.map((part) => (
          <TextPart key={part} title={t(`company.privacy.parts.${part}.title`)}>
            <p>{t(`company.privacy.parts.${part}.text`)}</p>
          </TextPart>
        ))}
      </Text>
    </>
  );
}
