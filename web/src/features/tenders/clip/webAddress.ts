// Checks addresses in data before the app links to them.

/** `address` if it is a path of this portal or an http(s) address, else `null`. */
export function webAddress(address: string | null | undefined): string | null {
  if (!address) return null;
  try {
    const { protocol } = new URL(address, window.location.origin);
    return protocol === "http:" || protocol === "https:" ? address : null;
  } catch {
    return null;
  }
}
