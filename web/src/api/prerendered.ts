// Reads what the server prerendered: responses in the page, so that the app does not request them,
// and the beginning of a tender's page. The responses are those for a guest.

import { session } from "./client.ts";

interface PrerenderedResponses {
  /** When the responses were created, in milliseconds since 1970. */
  at: number;
  list?: unknown;
  stats?: unknown;
  home?: unknown;
  plans?: unknown;
  buyer?: unknown;
}

/** Reads `<script type="application/json" id="answers">`; `null` if it is missing or malformed. */
export function readPrerenderedResponses(page: Document): PrerenderedResponses | null {
  try {
    const found: unknown = JSON.parse(page.getElementById("answers")?.textContent ?? "null");
    const isThere = typeof found === "object" && found !== null && "at" in found;
    return isThere && typeof found.at === "number" ? (found as PrerenderedResponses) : null;
  } catch {
    return null;
  }
}

const answers = readPrerenderedResponses(document);

/** The address at which the page was loaded. The prerendered list is the list at this address. */
export const initialAddress = new URL(document.URL);

/**
 * A prerendered response; `null` if the page has none, or for a signed-in user, who may see more.
 */
export function prerenderedResponse<Data>(
  name: Exclude<keyof PrerenderedResponses, "at">,
): { data: Data; at: number } | null {
  const data = answers?.[name];
  return answers && data !== undefined && session.read() === null
    ? { data: data as Data, at: answers.at }
    : null;
}

/** The beginning of a tender's page, as the server prerendered it. */
export interface PrerenderedTender {
  title: string;
  language: string | undefined;
  /** At most two lines: the organisation with its place, and usually the closing date. */
  lines: string[];
}

/** Reads the beginning of a prerendered tender's page; `null` on any other page. */
export function readPrerenderedTender(page: Document): PrerenderedTender | null {
  const heading = page.querySelector<HTMLElement>(".first-page article h1");
  if (!heading) return null;
  const lines = [...page.querySelectorAll(".first-page article h1 ~ p")].slice(0, 2);
  return {
    title: heading.textContent,
    language: heading.lang || undefined,
    lines: lines.map(({ textContent }) => textContent),
  };
}

/** Read when this module loads, because the app later replaces the text. */
export const prerenderedTender = readPrerenderedTender(document);
