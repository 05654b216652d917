// The Sinhala texts that every visit needs: the shell and Home.

import home from "./home.json";
import shell from "./shell.json";

export const first = { shell, home };
