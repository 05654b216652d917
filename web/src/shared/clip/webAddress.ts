// Checks an address from the server's data before the app uses it as a link or an image.

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
