// What the server has written into the page beside its first words, so that it need not be asked for again. It is what a guest sees.

import { session } from "./client.ts";

interface PrerenderedResponses {
  /** When they were true, in milliseconds since 1970. */
  at: number;
  list?: unknown;
  stats?: unknown;
}

/** Reads `<script type="application/json" id="answers">`; rubbish counts as nothing. */
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

/** Where the page was when it was loaded: its list is of this address. */
export const initialAddress = new URL(document.URL);

/** An answer that came with the page; nothing for whoever is signed in, who may see more. */
export function prerenderedResponse<Data>(name: "list" | "stats"): { data: Data; at: number } | null {
  const data = answers?.[name];
  return answers && data !== undefined && session.read() === null
    ? { data: data as Data, at: answers.at }
    : null;
}

/** What the page says of its one tender before the application runs. */
export interface PrerenderedTender {
  title: string;
  language: string | undefined;
  /** By whom and where, and when it closes. */
  lines: string[];
}

/** Reads the words of a tender's page; nothing on any other. */
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

/** Read before the application takes their place. */
export const prerenderedTender = readPrerenderedTender(document);
