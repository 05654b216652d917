import { expect, it } from "vitest";
import { issueOfPath } from "./issue.ts";

it.each([
  ["scans/daily-lanka/2026-11-20/p1.jpg", "Daily Lanka", "2026-11-20"],
  ["/sunday_times of lanka/2026-11-20/p1.jpg", "Sunday Times Of Lanka", "2026-11-20"],
  ["/2026-11-20/p1.jpg", "", "2026-11-20"],
  ["2026-11-20/p1.jpg", "", "2026-11-20"],
  ["daily-lanka/2026-11-20/more/p1.jpg", "", ""],
  ["daily-lanka_2026-11-20_p1.jpg", "", ""],
  ["daily-lanka/p1.jpg", "", ""],
  ["", "", ""],
])("reads the issue in %j", (path, publication, date) => {
  expect(issueOfPath(path)).toEqual({ publication, date });
});
