// The complete English catalogue. It defines the keys. Every other language has a folder with the
// same files, except the texts for administrators, and no other keys.

import { first } from "./first.ts";
import { operate } from "./operate.ts";
import { pages } from "./pages.ts";

export const en = { ...first, ...pages, ...operate };
