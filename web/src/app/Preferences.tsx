// The controls for the user's language and theme.

import { useQueryClient } from "@tanstack/react-query";
import { Globe, Monitor, Moon, Sun } from "lucide-react";
import { type ReactNode, useId } from "react";
import { chooseLanguage, currentLanguage, useTranslation } from "@/i18n/i18n.ts";
import { isLanguage, LANGUAGES, type Language, languageNames, shortLanguageNames } from "@/i18n/languages.ts";
import { saveLanguage } from "@/shared/session/account.ts";
import { chooseTheme, THEMES, useTheme } from "@/shared/theme.ts";
import { toast } from "@/ui/toasts.ts";

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

/** A small language select. When closed, it shows the short name of the language. */
export function LanguageSelect() {
  const { t } = useTranslation();
  const { language, choose } = useLanguage();
  const id = useId();
  return (
    <span className="relative inline-flex min-h-11 shrink-0 items-center gap-1 rounded-lg px-2 text-ink-soft focus-within:outline-2 focus-within:outline-accent hover:text-ink max-md:hidden">
      <label htmlFor={id} className="sr-only">
        {t("shell.language.label")}
      </label>
      <Globe size={18} aria-hidden />
      <span aria-hidden lang={language} className="language-name text-sm font-semibold">
        {shortLanguageNames[language]}
      </span>
      <select
        id={id}
        value={language}
        onChange={({ target }) => isLanguage(target.value) && choose(target.value)}
        className="language-name absolute inset-0 bg-sheet text-base text-ink opacity-0"
      >
        {LANGUAGES.map((other) => (
          <option key={other} value={other} lang={other}>
            {languageNames[other]}
          </option>
        ))}
      </select>
    </span>
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
