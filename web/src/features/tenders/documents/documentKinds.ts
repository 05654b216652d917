// Short names for the types of documents.

import type { Tender } from "@/api/types.ts";

type Document = NonNullable<Tender["documents"]>[number];

const KIND_NAMES: Record<string, string> = {
  "application/pdf": "PDF",
  "application/msword": "Word",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "application/vnd.ms-excel": "Excel",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel",
  "application/zip": "ZIP",
  "image/jpeg": "JPEG",
  "image/png": "PNG",
};

/** The short name of a document's media type, or the type itself; `null` if it has no type. */
export function documentKind({ type }: Pick<Document, "type">): string | null {
  return type ? (KIND_NAMES[type] ?? type) : null;
}
