// The English catalogue, whole: it gives the keys their types. Every other language has a folder with the same files and keys.

import { first } from "./first.ts";
import { pages } from "./pages.ts";

export const en = { ...first, ...pages };
