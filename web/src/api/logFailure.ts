// Logs failed calls: the path and the failure, but never a query, a body or a token.

import { ApiError } from "./error.ts";

/** Logs that the call to `address` failed. Aborted calls are not logged. */
export function logFailure(address: string, error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  const { pathname } = new URL(address, window.location.href);
  const status = error instanceof ApiError ? `${error.status}, ` : "";
  const reference = error instanceof ApiError && error.requestId ? `, request ${error.requestId}` : "";
  const message = error instanceof Error ? error.message : String(error);
  console.warn(`The call to ${pathname} failed: ${status}${message}${reference}`);
}
