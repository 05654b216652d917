// "Remember me": the e-mail address of the last sign-in, kept in this browser and filled in at the next. Never the
// password; how long a session lasts is the server's decision.

const KEY = "remembered_email";

/** The remembered address, or nothing. */
export function rememberedEmail(): string {
  return window.localStorage.getItem(KEY) ?? "";
}

/** Remembers `email`; an empty one forgets. */
export function rememberEmail(email: string): void {
  if (email === "") window.localStorage.removeItem(KEY);
  else window.localStorage.setItem(KEY, email);
}
