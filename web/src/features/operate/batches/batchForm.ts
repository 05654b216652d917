// The batch that the address of the page names.

import { parseEnum } from "@/api/enums.ts";
import type { BatchForm } from "@/api/types.ts";
import { paths } from "@/shared/paths.ts";

export const BATCH_KINDS = ["issue", "file", "sent"] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

/** The fields of a batch as typed. They stand in the address of the page. */
export type BatchField = "kind" | "file" | "publication" | "date" | "token" | "from" | "until";

/** The kind of batch that the address names. */
export function kindOf(params: URLSearchParams): BatchKind {
  return parseEnum(BATCH_KINDS, params.get("kind")) ?? (params.get("file") ? "file" : "issue");
}

/** `2026-11-20T09:30` in Colombo as a time with its offset. */
const inColombo = (local: string) => `${local}:00+05:30`;

/** The address of the list of the batch's pages. Null: which pages a token has sent is not known. */
export function pagesPathOf({ file, publication, date }: BatchForm): string | null {
  const filter = new URLSearchParams(file ? { file } : publication && date ? { publication, date } : {});
  return filter.size > 0 ? `${paths.operatePages}?${filter}` : null;
}

/** The batch, or null if a part of it is missing. */
export function batchOf(params: URLSearchParams): BatchForm | null {
  const get = (name: BatchField) => params.get(name)?.trim() ?? "";
  const kind = kindOf(params);
  if (kind === "file") return get("file") ? { file: get("file") } : null;
  if (kind === "issue") {
    const [publication, date] = [get("publication"), get("date")];
    return publication && date ? { publication, date } : null;
  }
  const [token, from, until] = [get("token"), get("from"), get("until")];
  return token && from && until ? { token, from: inColombo(from), until: inColombo(until) } : null;
}
