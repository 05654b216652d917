// The English texts that every visit needs: the shell and Home. The names of places are not among
// them, because the vocabulary itself is English.

import home from "./home.json";
import shell from "./shell.json";

export const first = { shell, home };
