// The names of holidays. The server has them in English, as the calendar of the government prints them.

import { enumLabel, type Translate } from "@/i18n/translate.ts";

/** A holiday's name in the page's language. A name that staff entered in other words stays as it is. */
export function holidayName(name: string, t: Translate): string {
  return enumLabel(t, "bids.holiday", name);
}
