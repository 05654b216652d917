// [`ApiError`]: what a call that was answered, but not with success, becomes. A call that was never answered stays the
// `TypeError` (or the time-out) that `fetch` raised.

import { PLAN_NAMES, parseEnum } from "./enums.ts";
import type { components } from "./schema.gen.ts";
import type { PlanName } from "./types.ts";

/** One field's failure, as the server reports it. */
export interface FieldError {
  field: string;
  message: string;
}

/** What may be known of a tender that is refused to its reader. */
type LockedTender = components["schemas"]["LockedTender"];

/** A reply that is no success. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly code?: string,
    readonly errors: readonly FieldError[] = [],
    readonly requestId?: string,
    /** Where a plan would open what is refused: the lowest one; `free` is an account without a subscription. */
    readonly plan?: PlanName,
    readonly tender?: LockedTender,
  ) {
    super(message);
  }

  /** Whether asking again cannot help: the request itself was refused. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { field, message } = entry as Record<string, unknown>;
    return typeof field === "string" && typeof message === "string" ? [{ field, message }] : [];
  });
}

function lockedTender(value: unknown): LockedTender | undefined {
  const isLockedTender =
    typeof value === "object" && value !== null && "title" in value && "organization" in value;
  return isLockedTender ? (value as LockedTender) : undefined;
}

/** Reads a failure's envelope; a body that is none gives the bare status. */
export function toApiError(body: unknown, status: number): ApiError {
  const found = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return new ApiError(
    text(found.message) ?? `HTTP error! status: ${status}`,
    status,
    text(found.code),
    fieldErrors(found.errors),
    text(found.requestId),
    parseEnum(PLAN_NAMES, found.plan) ?? undefined,
    lockedTender(found.tender),
  );
}

/** The words to show for anything that was thrown; `fallback` where it carries none of the server's. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && !error.message.startsWith("HTTP error!") ? error.message : fallback;
}

/** Whether nobody answered, or only somebody in front of a portal that did not. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof ApiError) return [502, 503, 504].includes(error.status);
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
