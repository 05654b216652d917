// The Tamil catalogue: the files and keys of the English one, which stands in for what is missing here.

import account from "./account.json";
import company from "./company.json";
import home from "./home.json";
import publish from "./publish.json";
import shell from "./shell.json";
import tenders from "./tenders.json";

export const ta = { shell, home, tenders, account, publish, company };
