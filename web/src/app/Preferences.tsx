// The controls for the user's language and theme.

import { useQueryClient } from "@tanstack/react-query";
import { Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { chooseLanguage, currentLanguage, useTranslation } from "@/i18n/i18n.ts";
import { LANGUAGES, type Language, languageNames, shortLanguageNames } from "@/i18n/languages.ts";
import { saveLanguage } from "@/shared/session/account.ts";
import { chooseTheme, THEMES, useTheme } from "@/shared/theme.ts";
import { toast } from "@/ui/toasts.ts";

/** The order of the short names: the languages of the country first. */
const SHORT_ORDER = ["si", "ta", "en"] as const satisfies readonly Language[];

function useLanguage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const choose = (language: Language) => {
    chooseLanguage(language).then(
      () => void saveLanguage(client, currentLanguage()),
      () => toast.error(t("shell.language.failed")),
    );
  };
  return { language: currentLanguage(), choose };
}

function ButtonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-wrap gap-0.5 rounded-lg border border-line bg-sheet p-0.5">
      <legend className="sr-only">{label}</legend>
      {children}
    </fieldset>
  );
}

const choiceStyle =
  "inline-flex min-h-11 min-w-11 items-center justify-center gap-1.5 rounded-md px-3 text-sm text-ink-soft hover:text-ink aria-pressed:bg-accent-wash aria-pressed:font-semibold aria-pressed:text-accent";

/** One button for each language, labelled in that language. */
export function LanguageSwitch() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  return (
    <ButtonGroup label={t("shell.language.label")}>
      {LANGUAGES.map((other) => (
        <button
          key={other}
          type="button"
          lang={other}
          aria-pressed={other === language}
          className={`language-name ${choiceStyle}`}
          onClick={() => choose(other)}
        >
          {languageNames[other]}
        </button>
      ))}
    </ButtonGroup>
  );
}

/** The buttons for the languages with short names, for the navigation bar. */
export function ShortLanguageSwitch() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  return (
    <fieldset className="flex shrink-0 max-sm:hidden">
      <legend className="sr-only">{t("shell.language.label")}</legend>
      {SHORT_ORDER.map((other) => (
        <button
          key={other}
          type="button"
          lang={other}
          aria-label={languageNames[other]}
          aria-pressed={other === language}
          className="language-name inline-flex min-h-9 min-w-9 items-center justify-center rounded-md px-1 text-sm text-ink-soft hover:text-ink aria-pressed:bg-accent-wash aria-pressed:font-semibold aria-pressed:text-accent max-lg:min-h-11 max-lg:min-w-11"
          onClick={() => choose(other)}
        >
          {shortLanguageNames[other]}
        </button>
      ))}
    </fieldset>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

export function ThemeSwitch() {
  const { t } = useTranslation();
  const theme = useTheme();
  return (
    <ButtonGroup label={t("shell.theme.label")}>
      {THEMES.map((other) => {
        const Icon = themeIcons[other];
        return (
          <button
            key={other}
            type="button"
            aria-pressed={other === theme}
            className={choiceStyle}
            onClick={() => chooseTheme(other)}
          >
            <Icon size={16} aria-hidden className="shrink-0" />
            {t(`shell.theme.${other}`)}
          </button>
        );
      })}
    </ButtonGroup>
  );
}
