// Short names for the types of documents.

import type { Tender } from "@/api/types.ts";

type Document = NonNullable<Tender["documents"]>[number];

const KINDS: Record<string, string> = {
  "application/pdf": "PDF",
  "application/msword": "Word",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "application/vnd.ms-excel": "Excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
  "application/zip": "ZIP",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
};

/** The short name of a document's media type, else the media type; `null` without one. */
export function documentKind({ type }: Pick<Document, "type">): string | null {
  return type ? (KINDS[type] ?? type) : null;
}
