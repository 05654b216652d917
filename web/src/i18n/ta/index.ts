// The Tamil catalogue, whole: the files and keys of the English one, which stands in for what is missing here.

import { first } from "./first.ts";
import { pages } from "./pages.ts";

export const ta = { ...first, ...pages };
