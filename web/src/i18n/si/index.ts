// The Sinhala catalogue, in the same files as the English one. English replaces missing texts.

import { first } from "./first.ts";
import { pages } from "./pages.ts";

export const si = { ...first, ...pages };
