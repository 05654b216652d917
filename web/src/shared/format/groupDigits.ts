// Groups the digits of an amount in thousands while it is typed.

/** "84,000,000" for "84000000". A text that is no number is returned unchanged. */
export function groupDigits(text: string): string {
  const [, whole, fraction = ""] = /^(\d[\d,\s]*)(\.\d*)?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return text;
  return whole.replaceAll(/[\s,]/g, "").replaceAll(/\B(?=(\d{3})+(?!\d))/g, ",") + fraction;
}

const withoutCommas = (text: string) => text.replaceAll(",", "");

/** Groups the digits in a text field. The caret stays before the same digit. */
export function groupDigitsOf(input: HTMLInputElement): void {
  const grouped = groupDigits(input.value);
  if (grouped === input.value) return;
  const behind = withoutCommas(input.value.slice(input.selectionEnd ?? input.value.length)).length;
  let caret = grouped.length;
  while (caret > 0 && withoutCommas(grouped.slice(caret)).length < behind) caret -= 1;
  input.value = grouped;
  input.setSelectionRange(caret, caret);
}
