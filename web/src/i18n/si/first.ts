// The Sinhala texts that every visit needs: the shell, Home, and the names of places and categories.

import home from "./home.json";
import names from "./names.json";
import shell from "./shell.json";

export const first = { shell, home, names };
