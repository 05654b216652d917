// Addresses that come with data: followed only when they lead to the web.

/** `address` when it is a path of this portal or an http(s) address, else `null`. */
export function webAddress(address: string | null | undefined): string | null {
  if (!address) return null;
  try {
    const { protocol } = new URL(address, window.location.origin);
    return protocol === "http:" || protocol === "https:" ? address : null;
  } catch {
    return null;
  }
}
