// What is shared of a tender, and the addresses that hand it to WhatsApp and to the mail program.

import type { Tender } from "@/api/types.ts";
import type { Translate } from "@/i18n/translate.ts";
import { formatMoment } from "@/shared/format/dates.ts";

export interface SharedTender {
  title: string;
  /** The title, the organisation and the closing, each on a line. */
  text: string;
  address: string;
}

export function sharedTender(tender: Tender, address: string, t: Translate): SharedTender {
  const closing = tender.dates?.closing;
  const lines = [
    tender.title,
    tender.organization?.name,
    closing && `${t("tenders.details.closes")} ${formatMoment(closing)}`,
  ];
  return { title: tender.title, text: lines.filter(Boolean).join("\n"), address };
}

export function whatsAppAddress({ text, address }: SharedTender): string {
  return `https://wa.me/?text=${encodeURIComponent(`${text}\n${address}`)}`;
}

/** A `mailto` address. Its lines end as RFC 6068 says. */
export function mailAddress({ title, text, address }: SharedTender): string {
  const body = `${text}\n${address}`.replaceAll("\n", "\r\n");
  return `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(body)}`;
}
