// What readers call the types of files that are attached to tenders.

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

/** The kind of a document by its media type, else as that is written; nothing where it has none. */
export function documentKind({ type }: Pick<Document, "type">): string | null {
  return type ? (KINDS[type] ?? type) : null;
}
