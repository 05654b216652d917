// Whether a description says more than the full text below it.

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** Whether `description` stands in `fullText` already, whatever the punctuation and markup between its words. */
export function isRepeatedIn(description: string, fullText: string | undefined): boolean {
  return words(fullText ?? "").includes(words(description));
}
