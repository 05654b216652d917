// The English words of what every visit loads: the shell and Home.

import home from "./home.json";
import shell from "./shell.json";

export const first = { shell, home };
