// The three questions: what the company does, where, and with which grades.

import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { GRADES, WORK_FIELDS } from "@/shared/tender/grades.ts";
import { ALL_DISTRICTS, SECTORS } from "@/shared/tender/vocabulary.ts";
import { vocabularyName } from "@/shared/tender/vocabularyNames.ts";
import { Button } from "@/ui/Button.tsx";
import { CheckGroup } from "@/ui/CheckGroup.tsx";
import { SelectField, TextField } from "@/ui/Field.tsx";
import { ListField } from "@/ui/ListField.tsx";
import { SectionCard } from "@/ui/SectionCard.tsx";
import { type Answers, offeredWorks } from "./answers.ts";

interface QuestionProps {
  answers: Answers;
  onChange: (change: Partial<Answers>) => void;
}

function What({ answers, onChange }: QuestionProps) {
  const { t } = useTranslation();
  const works = offeredWorks(answers);
  return (
    <SectionCard title={t("alerts.welcome.what")}>
      <div className="grid gap-5">
        <CheckGroup
          label={t("alerts.welcome.sectors")}
          values={SECTORS}
          name={(sector) => t(`tenders.sector.${sector}`)}
          chosen={answers.sectors}
          onChange={(sectors) => onChange({ sectors })}
        />
        <CheckGroup
          label={t("alerts.welcome.works")}
          help={t("alerts.welcome.worksHelp")}
          values={works.map(({ key }) => key)}
          name={(key) => t(`alerts.welcome.work.${key}`)}
          chosen={answers.works}
          onChange={(chosen) => onChange({ works: chosen })}
        />
        <ListField
          label={t("alerts.welcome.words")}
          optional={t("account.optional")}
          help={t("alerts.welcome.wordsHelp")}
          entries={answers.words}
          onChange={(words) => onChange({ words })}
          add={t("alerts.welcome.add")}
          remove={(word) => t("alerts.welcome.remove", { what: word })}
          unique
        />
      </div>
    </SectionCard>
  );
}

function Where({ answers, onChange }: QuestionProps) {
  const { t } = useTranslation();
  return (
    <SectionCard title={t("alerts.welcome.where")}>
      <CheckGroup
        label={t("alerts.form.districts")}
        help={t("alerts.welcome.whereHelp")}
        values={ALL_DISTRICTS}
        name={(district) => vocabularyName("district", district, t)}
        chosen={answers.districts}
        onChange={(districts) => onChange({ districts })}
      />
    </SectionCard>
  );
}

function Grades({ answers: { grades }, onChange }: QuestionProps) {
  const { t } = useTranslation();
  const fieldsId = useId();
  const change = (at: number, part: Partial<Answers["grades"][number]>) =>
    onChange({ grades: grades.map((row, other) => (other === at ? { ...row, ...part } : row)) });
  return (
    <SectionCard title={t("alerts.welcome.grades")}>
      <p className="mb-4 text-sm text-ink-soft">{t("alerts.welcome.gradesHelp")}</p>
      <datalist id={fieldsId}>
        {WORK_FIELDS.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="grid gap-4">
        {grades.map(({ grade, field }, at) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: rows can be equal and are never reordered
            key={at}
            className="grid items-end gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
          >
            <legend className="sr-only">{t("account.company.cidaRow", { number: at + 1 })}</legend>
            <SelectField
              label={t("account.company.grade")}
              value={grade}
              onChange={({ target }) => change(at, { grade: target.value })}
            >
              <option value="">{t("account.company.choose")}</option>
              {GRADES.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </SelectField>
            <TextField
              label={t("account.company.field")}
              value={field}
              list={fieldsId}
              autoComplete="off"
              maxLength={100}
              onChange={({ target }) => change(at, { field: target.value })}
            />
            <Button
              variant="plain"
              aria-label={t("alerts.welcome.remove", {
                what: t("account.company.cidaRow", { number: at + 1 }),
              })}
              onClick={() => onChange({ grades: grades.filter((_, other) => other !== at) })}
            >
              <Trash2 size={17} aria-hidden />
            </Button>
          </fieldset>
        ))}
        <Button
          variant="outlined"
          size="small"
          className="justify-self-start"
          onClick={() => onChange({ grades: [...grades, { grade: "", field: "" }] })}
        >
          <Plus size={17} aria-hidden />
          {t("account.company.addCida")}
        </Button>
      </div>
    </SectionCard>
  );
}

export function Questions(props: QuestionProps) {
  return (
    <>
      <What {...props} />
      <Where {...props} />
      <Grades {...props} />
    </>
  );
}
