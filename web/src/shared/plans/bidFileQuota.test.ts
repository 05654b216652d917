import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { BID_FILE_MEGABYTES } from "./bidFileQuota.ts";

it("is the quota that the database gives each plan", () => {
  const migrations = path.resolve(import.meta.dirname, "../../../../api/migrations");
  const sql = readFileSync(path.join(migrations, "0089_bid_files.sql"), "utf8");
  const named = sql.matchAll(/when '(\w+)' then (\d+)/g);
  const [, others] = /else (\d+)/.exec(sql) ?? [];
  const quotas = Object.fromEntries([...named].map(([, plan, size]) => [plan, Number(size)]));
  expect({ free: Number(others), ...quotas }).toEqual(BID_FILE_MEGABYTES);
});
