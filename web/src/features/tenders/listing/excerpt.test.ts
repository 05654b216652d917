import { describe, expect, it } from "vitest";
import { excerptOf } from "./excerpt.ts";

const title = "Refurbishment of Akuressa Harbour Access Road";
const body = "Road Development Authority";
const shown = [title, body];

/** A passage in which each word "road" is marked. */
function passageOf(text: string) {
  const marks = [...text.matchAll(/road/gi)].map(({ index }) => {
    const start = Array.from(text.slice(0, index)).length;
    return [start, start + 4];
  });
  return { title: [], text, marks };
}

describe("excerptOf", () => {
  it("shows nothing that repeats the title or the organisation, in any case", () => {
    const text = `…${body.toUpperCase()} ${title} Tenders are hereby called…`;
    expect(excerptOf(passageOf(text), shown)).toBeNull();
  });

  it("keeps an excerpt with a word that the card does not show", () => {
    const text = "The office is at Station Road.";
    expect(excerptOf(passageOf(text), shown)).toEqual({ text, marks: [[25, 29]] });
  });

  it("begins near the first word that the card does not show", () => {
    const text = `${title} Tenders are hereby called by the Chairman. The office is at Station Road, Galle.`;
    const excerpt = excerptOf(passageOf(text), shown);
    expect(excerpt).toEqual({
      text: "…the Chairman. The office is at Station Road, Galle.",
      marks: [[40, 44]],
    });
  });

  it("shows nothing without marks", () => {
    expect(excerptOf(passageOf("Tenders are called."), shown)).toBeNull();
  });

  it("removes the signs of Markdown and moves the marks along", () => {
    const excerpt = excerptOf(passageOf("😀 2\\. **Bid**: Station Road, `No` 5\\-A"), shown);
    expect(excerpt).toEqual({ text: "😀 2. Bid: Station Road, No 5-A", marks: [[18, 22]] });
  });
});
