// The keywords in the form of an alert.

import { Plus, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useFieldArray, useFormContext } from "react-hook-form";
import { useTranslation } from "@/i18n/i18n.ts";
import { wordsAround } from "@/shared/alerts/insideWords.ts";
import { Button } from "@/ui/Button.tsx";
import { Checkbox, SelectField, TextField } from "@/ui/Field.tsx";
import { type AlertForm, MATCH_TYPES, MAX_KEYWORDS } from "./form.ts";
import { Section, useErrorText } from "./formParts.tsx";
import { InsideWords } from "./InsideWords.tsx";
import { usePreview } from "./MatchPreview.tsx";

const keywordRow = "grid grid-cols-[minmax(0,1fr)_8rem] gap-1.5 sm:grid-cols-[minmax(0,1fr)_12rem] sm:gap-3";
const removableKeywordRow =
  "grid grid-cols-[minmax(0,1fr)_8rem_2.75rem] gap-1.5 sm:grid-cols-[minmax(0,1fr)_12rem_2.75rem] sm:gap-3";

/** The keywords. Enter in a term adds another row, and does not send the form. */
export function KeywordFields({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { register, control, formState, getValues, setFocus, setValue } = useFormContext<AlertForm>();
  const { data: preview } = usePreview(form);
  const { fields, append, remove } = useFieldArray({ control, name: "keywords" });
  const errors = formState.errors.keywords;
  const add = () => append({ term: "", matchType: "contains" });
  const onEnter = (event: KeyboardEvent<HTMLInputElement>, nth: number) => {
    // An input method uses Enter to accept what it proposes.
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.currentTarget.value.trim() === "") return;
    const empty = getValues("keywords").findIndex(({ term }, index) => index !== nth && term.trim() === "");
    if (empty >= 0) setFocus(`keywords.${empty}.term`);
    else if (fields.length < MAX_KEYWORDS) add();
  };
  const around = form.keywords.map((keyword) => wordsAround(keyword, preview?.matches ?? []));
  const matchStarts = (nth: number) => {
    setValue(`keywords.${nth}.matchType`, "starts_with", { shouldDirty: true });
    // The button disappears. Its effect is where the focus goes.
    setFocus(`keywords.${nth}.matchType`);
  };
  const row = fields.length > 1 ? removableKeywordRow : keywordRow;
  return (
    <Section title={t("alerts.form.keywords")}>
      <p className="text-sm text-ink-soft">{t("alerts.form.keywordsHelp")}</p>
      <div className="grid gap-2">
        <div aria-hidden className={`${row} text-[0.9375rem] font-semibold`}>
          <span>{t("alerts.form.termHead")}</span>
          <span>{t("alerts.form.matchTypeHead")}</span>
        </div>
        {fields.map((field, nth) => (
          <div key={field.id}>
            <div className={`${row} items-start`}>
              <TextField
                label={t("alerts.form.term", { nth: nth + 1 })}
                hideLabel
                error={errorText(errors?.[nth]?.term?.message)}
                enterKeyHint="next"
                onKeyDown={(event) => onEnter(event, nth)}
                {...register(`keywords.${nth}.term`)}
              />
              <SelectField
                label={t("alerts.form.matchType", { nth: nth + 1 })}
                hideLabel
                {...register(`keywords.${nth}.matchType`)}
              >
                {MATCH_TYPES.map((type) => (
                  <option key={type} value={type}>
                    {t(`alerts.matchType.${type}`)}
                  </option>
                ))}
              </SelectField>
              {fields.length > 1 && (
                <button
                  type="button"
                  aria-label={t("alerts.form.removeKeyword", { nth: nth + 1 })}
                  onClick={() => remove(nth)}
                  className="grid size-11 place-items-center rounded-lg text-ink-soft hover:text-urgent"
                >
                  <X size={18} aria-hidden />
                </button>
              )}
            </div>
            <InsideWords
              term={form.keywords[nth]?.term.trim() ?? ""}
              words={around[nth] ?? []}
              onNarrow={() => matchStarts(nth)}
            />
          </div>
        ))}
      </div>
      <Checkbox
        label={t("alerts.form.titleAndScopeOnly")}
        help={t("alerts.form.titleAndScopeOnlyHelp")}
        {...register("titleAndScopeOnly")}
      />
      {fields.length < MAX_KEYWORDS && (
        <div>
          <Button variant="outlined" size="small" onClick={add}>
            <Plus size={16} aria-hidden />
            {t("alerts.form.addKeyword")}
          </Button>
        </div>
      )}
    </Section>
  );
}
