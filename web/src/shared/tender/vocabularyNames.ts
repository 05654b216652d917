// The names of categories, provinces and districts in the page's language. Unknown names are shown
// as they are.

import type { en } from "@/i18n/en/index.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";

type Names = (typeof en)["names"];
type List = { [Name in keyof Names]: Names[Name] extends string ? never : Name }[keyof Names];

export function vocabularyName(list: List, name: string, t: Translate): string {
  return enumLabel(t, `names.${list}`, name);
}
