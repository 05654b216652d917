// Finds the browser for the tests, the page generator and the mail pictures.

import { existsSync } from "node:fs";

/**
 * The executable that the environment variable `CHROMIUM` names, else an installed one. Chromium's
 * headless shell needs a third less time than Chromium itself.
 *
 * @type {string}
 */
export const chromiumPath =
  process.env.CHROMIUM ??
  ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((file) => existsSync(file)) ??
  "/usr/bin/chromium";
