// The name of a procurement method in the page's language.

import type { Translate } from "@/i18n/translate.ts";
import { METHODS } from "@/shared/tender/vocabulary.ts";

/** The name of a procurement method. A method that is not in the list is shown as printed. */
export function methodName(method: string, t: Translate): string {
  const known = METHODS.find((one) => one === method);
  return known ? t(`publish.method.${known}`) : method;
}
