/** The amount that a user has typed, such as "1,250,000.50"; `null` for none, `undefined` if it is none. */
export function readAmount(text: string): number | null | undefined {
  const plain = text.replace(/[\s,]/g, "").replace(/^(LKR|Rs\.?)/i, "");
  if (plain === "") return null;
  return /^\d{1,13}(\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined;
}
