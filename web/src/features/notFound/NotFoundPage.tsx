// The page for unknown addresses.

import { useTranslation } from "@/i18n/i18n.ts";
import { Metadata } from "@/shared/page/Metadata.tsx";
import { paths } from "@/shared/paths.ts";
import { ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";

export function Component() {
  const { t } = useTranslation();
  return (
    <Page className="grid min-h-[60vh] place-items-center text-center">
      <Metadata
        title={t("shell.missing.title")}
        description={t("shell.missing.text")}
        keywords="404"
        unlisted
      />
      <div>
        <p className="text-6xl font-bold tracking-tight text-accent">{t("shell.missing.code")}</p>
        <h1 className="mt-3 text-2xl font-bold tracking-tight">{t("shell.missing.title")}</h1>
        <p className="mt-2 text-ink-soft">{t("shell.missing.text")}</p>
        <ButtonLink to={paths.home} className="mt-6">
          {t("shell.missing.link")}
        </ButtonLink>
      </div>
    </Page>
  );
}
