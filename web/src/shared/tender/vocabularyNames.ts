// The names of categories, provinces and districts in the page's language. Unknown names are
// returned unchanged.

import type { en } from "@/i18n/en/index.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";

type NameTexts = (typeof en)["names"];
type NameGroup = {
  [Name in keyof NameTexts]: NameTexts[Name] extends string ? never : Name;
}[keyof NameTexts];

export function vocabularyName(group: NameGroup, name: string, t: Translate): string {
  return enumLabel(t, `names.${group}`, name);
}
