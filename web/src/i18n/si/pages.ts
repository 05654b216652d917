// The Sinhala texts of all pages but Home. They load when one of these pages is first opened.

import account from "./account.json";
import alerts from "./alerts.json";
import awards from "./awards.json";
import bids from "./bids.json";
import company from "./company.json";
import market from "./market.json";
import plans from "./plans.json";
import publish from "./publish.json";
import reports from "./reports.json";
import tenders from "./tenders.json";

export const pages = { tenders, awards, market, account, alerts, bids, plans, publish, reports, company };
