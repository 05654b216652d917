// The English catalogue. Every other language has a folder with the same files and keys, loaded when it is chosen.

import account from "./account.json";
import company from "./company.json";
import home from "./home.json";
import publish from "./publish.json";
import shell from "./shell.json";
import tenders from "./tenders.json";

export const en = { shell, home, tenders, account, publish, company };
