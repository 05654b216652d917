// The fifth step: the documents, and how the tender is shown.

import { useTranslation } from "@/i18n/i18n.ts";
import { PRIORITIES, VISIBILITIES } from "@/shared/tender/vocabulary.ts";
import { SelectField } from "@/ui/Field.tsx";
import { DocumentsField } from "../DocumentsField.tsx";
import type { Attachments } from "../useAttachments.ts";
import { ListControl, Options, Pair, PlainField, Section, useField } from "./fields.tsx";

export function AttachmentsStep({ attachments }: { attachments: Attachments }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t("publish.documents.label")}>
        <DocumentsField attachments={attachments} />
      </Section>
      <Section title={t("publish.section.additional")}>
        <ListControl name="tags" unique />
        <Pair>
          <SelectField {...useField("priority")} optional={undefined}>
            <Options values={PRIORITIES} name={(value) => t(`publish.priority.${value}`)} />
          </SelectField>
          <SelectField {...useField("visibility")} optional={undefined}>
            <Options values={VISIBILITIES} name={(value) => t(`publish.visibility.${value}`)} />
          </SelectField>
        </Pair>
        <PlainField name="sourceUrl" type="url" inputMode="url" />
      </Section>
    </>
  );
}
