// [`ApiError`] is an unsuccessful response. A call without a response rejects with the `TypeError`
// or the `TimeoutError` of `fetch`.

import { t } from "@/i18n/i18n.ts";
import { PLAN_NAMES, parseEnum } from "./enums.ts";
import type { components } from "./schema.gen.ts";
import type { PlanName } from "./types.ts";

/** An error of one field, as the server reports it. */
export interface FieldError {
  field: string;
  message: string;
}

type LockedTender = components["schemas"]["LockedTender"];

/** An unsuccessful response. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly code?: string,
    readonly errors: readonly FieldError[] = [],
    readonly requestId?: string,
    /**
     * The lowest plan that would permit the call. `free` means an account without a subscription.
     */
    readonly plan?: PlanName,
    readonly tender?: LockedTender,
    /** After how many seconds the call can be repeated, if the server says so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }

  /** Whether the server refused the request. The app does not retry refused requests. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

function nonBlankText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function readFieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { field, message } = entry as Record<string, unknown>;
    return typeof field === "string" && typeof message === "string" ? [{ field, message }] : [];
  });
}

function readLockedTender(value: unknown): LockedTender | undefined {
  const isLockedTender =
    typeof value === "object" && value !== null && "title" in value && "organization" in value;
  return isLockedTender ? (value as LockedTender) : undefined;
}

/** The seconds of a `Retry-After` header. A date is not read. */
function readRetryAfter(header: string | null | undefined): number | undefined {
  return header && /^\d+$/.test(header) ? Number(header) : undefined;
}

/**
 * Reads the envelope of an error. For any other body, the message contains the status. `retryAfter` is the
 * `Retry-After` header of the response.
 */
export function toApiError(body: unknown, status: number, retryAfter?: string | null): ApiError {
  const found = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  return new ApiError(
    nonBlankText(found.message) ?? `HTTP error! status: ${status}`,
    status,
    nonBlankText(found.code),
    readFieldErrors(found.errors),
    nonBlankText(found.requestId),
    parseEnum(PLAN_NAMES, found.plan) ?? undefined,
    readLockedTender(found.tender),
    readRetryAfter(retryAfter),
  );
}

/** Longer waits than these seconds are told in minutes. */
const MAX_SECONDS_TOLD = 90;

/** Whether the server refused the call because there were too many. */
export function isThrottled(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429;
}

/** The message to show for a thrown value: the server's message, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  if (isThrottled(error) && error.retryAfter !== undefined && error.retryAfter > MAX_SECONDS_TOLD) {
    return t("shell.throttled", { count: Math.ceil(error.retryAfter / 60) });
  }
  return error instanceof ApiError && !error.message.startsWith("HTTP error!") ? error.message : fallback;
}

/** Whether there is no response, or only a gateway's response: status 502, 503 or 504. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return [502, 503, 504].includes(error.status);
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
