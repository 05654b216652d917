// The complete Sinhala catalogue, with the files and keys of the English one. English replaces
// missing texts.

import { first } from "./first.ts";
import { pages } from "./pages.ts";

export const si = { ...first, ...pages };
