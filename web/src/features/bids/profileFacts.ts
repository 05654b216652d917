// What the company profile has of a row of the checklist.

import type { BidChecklistRow, Company } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { dayOf, formatDay } from "@/shared/format/dates.ts";

/** Something that the company has, with the last day of its validity. */
interface Holding {
  name: string;
  expires: string | null;
}

/** What the company has of the kind of a row. Of documents, the one that is valid longest counts. */
function holdingsOf(kind: string | undefined, company: Company): Holding[] {
  const document = (wanted: string): Holding[] => {
    const held = (company.documents ?? []).filter((one) => one.kind === wanted);
    const longest = held.toSorted((a, b) => (b.expires ?? "9999").localeCompare(a.expires ?? "9999"))[0];
    return longest ? [{ name: longest.note ?? "", expires: longest.expires ?? null }] : [];
  };
  const number = (value: string | null | undefined): Holding[] =>
    value ? [{ name: value, expires: null }] : [];
  const orElse = (one: Holding[], other: Holding[]) => (one.length > 0 ? one : other);
  switch (kind) {
    case "business-registration":
      return orElse(document("business-registration"), number(company.businessRegistration));
    case "vat":
      return number(company.vat);
    case "cida": {
      const grades = (company.cida ?? []).map(({ grade, field, expires }) => ({
        name: `${grade} ${field}`.trim(),
        expires: expires ?? null,
      }));
      return orElse(grades, document("cida"));
    }
    case "contracts-act": {
      const registrations = (company.contractsAct ?? []).map(({ sector, category, expires }) => ({
        name: [sector, category].filter(Boolean).join(", "),
        expires: expires ?? null,
      }));
      return orElse(registrations, document("pca-3"));
    }
    default:
      return [];
  }
}

/** A sentence about something in the profile. */
export interface ProfileFact {
  text: string;
  /** Whether it expires before bids close. */
  isTooShort: boolean;
}

/** What the profile has of a row, in words; nothing if it has none. */
export function profileFacts(
  { derived }: BidChecklistRow,
  company: Company,
  closing: string | null,
  t: Translate,
): ProfileFact[] {
  return holdingsOf(derived?.kind, company).map(({ name, expires }) => {
    const isTooShort = expires !== null && closing !== null && expires < dayOf(closing);
    const held = name ? t("bids.profile.named", { name }) : t("bids.profile.has");
    const day = expires && formatDay(expires);
    const validity = day && t(isTooShort ? "bids.profile.expires" : "bids.profile.validUntil", { day });
    return { text: [held, validity].filter(Boolean).join(", "), isTooShort };
  });
}
