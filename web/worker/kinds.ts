// Which requests the service worker answers, and as what. All others are the network's alone: every write, and every read of
// the API but the clips.

/**
 * `page`: an address of the app. `asset`: a file whose name carries a hash of its content. `file`: one of the app's few
 * other files. `clip`: the image of a notice, named by its content and opened by the signature in its address.
 */
export type Kind = "page" | "asset" | "file" | "clip";

/** The app's files that keep their names. */
export const FILES = ["/theme.js", "/mark.svg"];

/** What the server answers itself, beside the app. */
const OF_THE_SERVER = /^\/(?:api|dev|payments|unsubscribe|livez|readyz)(?:\/|$)/;

export function kindOf(
  request: { method: string; url: string; mode: string; headers: { has(name: string): boolean } },
  origin: string,
): Kind | null {
  if (request.method !== "GET" || request.headers.has("range")) return null;
  const url = new URL(request.url);
  if (url.origin !== origin) return null;
  const kind = kindOfAddress(url);
  // A clip is also looked at by itself.
  if (request.mode !== "navigate" || kind === "clip") return kind;
  return OF_THE_SERVER.test(url.pathname) ? null : "page";
}

/** The same for an address alone, which is not a page's. */
export function kindOfAddress({ pathname, search }: URL): Exclude<Kind, "page"> | null {
  if (/^\/assets\/[^/]+$/.test(pathname)) return "asset";
  if (/^\/api\/clips\/[0-9a-f]{64}$/.test(pathname) && search !== "") return "clip";
  return FILES.includes(pathname) ? "file" : null;
}
