// Classifies the requests that the service worker handles. The network handles all others, such as
// writes, range requests, other origins and reads of the API except clips.

/**
 * `page`: an address of the app. `asset`: a file with a content hash in its name. `file`: another
 * file of the app. `clip`: the image of a notice, named by its content hash and authorised by the
 * signature in its address.
 */
export type RequestKind = "page" | "asset" | "file" | "clip";

/** The app's files without a hash in their names. */
export const APP_FILES = ["/theme.js", "/mark.svg"];

/** Addresses that the server handles itself. */
const SERVER_PATHS = /^\/(?:api|dev|payments|unsubscribe|livez|readyz)(?:\/|$)/;

export function requestKind(
  request: { method: string; url: string; mode: string; headers: { has(name: string): boolean } },
  origin: string,
): RequestKind | null {
  if (request.method !== "GET" || request.headers.has("range")) return null;
  const url = new URL(request.url);
  if (url.origin !== origin) return null;
  const kind = addressKind(url);
  // A clip can be opened as a page of its own.
  if (request.mode !== "navigate" || kind === "clip") return kind;
  return SERVER_PATHS.test(url.pathname) ? null : "page";
}

/** The kind of an address that is not a page. */
export function addressKind({ pathname, search }: URL): Exclude<RequestKind, "page"> | null {
  if (/^\/assets\/[^/]+$/.test(pathname)) return "asset";
  if (/^\/api\/clips\/[0-9a-f]{64}$/.test(pathname) && search !== "") return "clip";
  return APP_FILES.includes(pathname) ? "file" : null;
}
