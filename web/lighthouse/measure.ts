// Measures Home, the listing, the prices, and the pages of one tender and one organisation with
// Lighthouse's defaults: a simulated phone on slow 4G. The result for a page is the median of five runs,
// each in a new browser. Lighthouse is downloaded on demand, because it is larger than all dependencies
// of the app.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { address } from "../e2e/portal.ts";

const run = promisify(execFile);

const RUNS = Number(process.env.RUNS ?? 5);
/** The command that runs Lighthouse. The environment variable LIGHTHOUSE can name another one. */
const [command = "npx", ...before] = (process.env.LIGHTHOUSE ?? "npx --yes lighthouse@12.8.2").split(" ");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const results = path.resolve(import.meta.dirname, "../test-results/lighthouse");

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const METRIC_LABELS = {
  "first-contentful-paint": "FCP",
  "largest-contentful-paint": "LCP",
  "total-blocking-time": "TBT",
  "cumulative-layout-shift": "CLS",
  "speed-index": "SI",
} as const;

interface Report {
  lighthouseVersion: string;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { title: string; score: number | null; numericValue?: number; displayValue?: string }
  >;
}

/** On a busy machine, Lighthouse sometimes loses its recording. The run is then repeated. */
const LOST_RECORDING = "NO_NAVSTART";

async function measure(url: string, file: string, attempts = 3): Promise<Report> {
  try {
    return await measureOnce(url, file);
  } catch (error) {
    if (attempts > 1 && String(error).includes(LOST_RECORDING)) return measure(url, file, attempts - 1);
    throw error;
  }
}

async function measureOnce(url: string, file: string): Promise<Report> {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"];
  await run(
    command,
    [
      ...before,
      url,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--only-categories=${CATEGORIES.join(",")}`,
      `--chrome-flags=${flags.join(" ")}`,
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(readFileSync(file, "utf8")) as Report;
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The audits that count for a score and scored below 0.9 in any run. */
function failedAudits(reports: Report[]): string[] {
  const found = new Map<string, string>();
  for (const { categories, audits } of reports) {
    for (const { auditRefs } of Object.values(categories)) {
      for (const { id, weight } of auditRefs) {
        const audit = audits[id];
        if (weight > 0 && audit?.score != null && audit.score < 0.9)
          found.set(id, `${audit.title} (${audit.displayValue ?? audit.score})`);
      }
    }
  }
  return [...found.values()];
}

test("the public pages reach their target scores", async ({ request }) => {
  const list = await (await request.get("/api/tenders?limit=1")).json();
  const bodies = await (await request.get("/api/buyers?limit=1")).json();
  const pages = {
    Home: "/",
    Tenders: "/tenders",
    Tender: `/tenders/${list.data.tenders[0]._id}`,
    Buyer: `/buyers/${bodies.data.buyers[0].slug}`,
    Pricing: "/pricing",
  };
  mkdirSync(results, { recursive: true });
  const rows: string[] = [];
  const belowTarget: string[] = [];
  for (const [name, at] of Object.entries(pages)) {
    const reports: Report[] = [];
    for (let nth = 1; nth <= RUNS; nth += 1) {
      reports.push(await measure(address + at, path.join(results, `${name}-${nth}.json`)));
    }
    const scores = CATEGORIES.map((category) =>
      Math.round(100 * median(reports.map(({ categories }) => categories[category]?.score ?? 0))),
    );
    const times = Object.entries(METRIC_LABELS).map(([id, label]) => {
      const value = median(reports.map(({ audits }) => audits[id]?.numericValue ?? Number.NaN));
      return `${label} ${label === "CLS" ? value.toFixed(3) : `${Math.round(value)} ms`}`;
    });
    rows.push(`| ${[name, ...scores, ...times].join(" | ")} |`);
    const [performance = 0, ...others] = scores;
    if (performance < 95 || others.some((score) => score < 100))
      belowTarget.push(`${name}: ${scores.join(" ")}`);
    for (const reason of failedAudits(reports)) rows.push(`    ${reason}`);
  }
  const table = rows.join("\n");
  writeFileSync(path.join(results, "table.md"), `${table}\n`);
  console.log(`median of ${RUNS}: performance, accessibility, best practices, SEO\n${table}`);
  expect(belowTarget).toEqual([]);
});
