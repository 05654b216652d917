// Responses that the server wrote into the page, so that the app does not request them. They are
// the responses for a guest.

import { session } from "./client.ts";

interface PrerenderedResponses {
  /** When they were created, in milliseconds since 1970. */
  at: number;
  list?: unknown;
  stats?: unknown;
}

/** Reads `<script type="application/json" id="answers">`. Malformed data is ignored. */
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

/** The address at which the page was loaded. The list in the page belongs to it. */
export const initialAddress = new URL(document.URL);

/** A response in the page; `null` for a signed-in user, who may see more. */
export function prerenderedResponse<Data>(name: "list" | "stats"): { data: Data; at: number } | null {
  const data = answers?.[name];
  return answers && data !== undefined && session.read() === null
    ? { data: data as Data, at: answers.at }
    : null;
}

/** What a tender's page shows before the app runs. */
export interface PrerenderedTender {
  title: string;
  language: string | undefined;
  /** The organisation with the place, and the closing. */
  lines: string[];
}

/** Reads the text of a tender's page; `null` on any other page. */
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

/** Read at once, because the app replaces the text. */
export const prerenderedTender = readPrerenderedTender(document);
