// Detects descriptions that only repeat the full text.

const normalise = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

/** Whether `fullText` contains `description`, ignoring case, punctuation and markup. */
export function isRepeatedIn(description: string, fullText: string | undefined): boolean {
  return normalise(fullText ?? "").includes(normalise(description));
}
