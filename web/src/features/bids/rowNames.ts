// The names by which users call a row of the checklist, in every language of the portal.

import type { BidChecklistRow } from "@/api/types.ts";
import en from "@/i18n/en/bids.json";
import { LANGUAGES } from "@/i18n/languages.ts";
import si from "@/i18n/si/bids.json";
import ta from "@/i18n/ta/bids.json";
import { createTranslator } from "@/i18n/translate.ts";
import { ROW_KINDS, type RowContext, rowText } from "./checklistText.ts";

const texts = { en: { bids: en }, si: { bids: si }, ta: { bids: ta } };

const translators = LANGUAGES.map((language) => createTranslator(language, (spoken) => texts[spoken]));

/**
 * The title of a row, and what it is about. A task keeps the words in which it was written, so the names
 * don't depend on the language of the page, on the value of the bid, or on whether the notice is known.
 */
export function rowNames(row: BidChecklistRow, { bid, notice }: RowContext): string[] {
  const kind = ROW_KINDS.find((one) => one === row.derived?.kind);
  const names = translators.flatMap((t) => {
    const titles = [notice, null].map(
      (known) => rowText(row, { bid: { ...bid, value: null }, notice: known }, t).title,
    );
    return kind ? [...titles, t(`bids.checklist.kind.${kind}`)] : titles;
  });
  return [...new Set(names)];
}
