// The names of categories, provinces and districts in the page's language. Unknown names are
// returned unchanged.

import type { en } from "@/i18n/en/index.ts";
import { enumLabel, type Translate } from "@/i18n/translate.ts";
import { METHODS } from "./vocabulary.ts";

type NameTexts = (typeof en)["names"];
type NameGroup = {
  [Name in keyof NameTexts]: NameTexts[Name] extends string ? never : Name;
}[keyof NameTexts];

export function vocabularyName(group: NameGroup, name: string, t: Translate): string {
  return enumLabel(t, `names.${group}`, name);
}

/** The name of a procurement method. A method that is not in the list is shown as printed. */
export function methodName(method: string, t: Translate): string {
  const known = METHODS.find((one) => one === method);
  return known ? t(`publish.method.${known}`) : method;
}
