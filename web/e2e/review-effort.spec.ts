// How much work the doubtful notices of the fixtures are: a scripted reviewer corrects by keyboard what
// differs from the ground truth, and counts the keys.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, startSession, test } from "./fixtures.ts";
import { address, createOperatorToken } from "./portal.ts";

const fixtures = path.resolve(import.meta.dirname, "../../fixtures");

interface TruthNotice {
  type: string;
  quad_px: [number, number][];
  fields: Record<string, string | number | null>;
}

interface Review {
  key: string;
  notice: {
    title: string;
    dates: { published?: string };
    fieldStates?: Record<string, string>;
    sources: { file: string; box: [number, number, number, number] }[];
  };
}

/** The doubtful notices, each under a key of its own. */
const doubtful = readdirSync(`${fixtures}/notices`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .sort()
  .map((file) => path.join(fixtures, "notices", file))
  .filter((file) => /\nfieldStates:\n/.test(readFileSync(file, "utf8")))
  .map((file) => ({ file, key: createHash("sha256").update(`effort ${file}`).digest("hex").slice(0, 32) }));

async function hold(token: string, { file, key }: { file: string; key: string }): Promise<void> {
  const beside = (ending: string) => readFileSync(file.replace(/\.md$/, ending));
  const form = new FormData();
  form.append("notice", new Blob([readFileSync(file)], { type: "text/markdown" }), "notice.md");
  form.append("clip", new Blob([beside(".jpg")], { type: "image/jpeg" }), "clip.jpg");
  form.append("words", new Blob([beside(".words.json")], { type: "application/json" }), "words.json");
  const response = await fetch(`${address}/api/ingest/notices/${key}?hold=true`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(response.status, await response.text()).toBe(200);
}

/**
 * The true values of the fields that the ground truth states, as a person types them. Empty: the reviewer
 * clears the field, because the portal accepts no closing before the day of the newspaper.
 */
function truthOf({ notice }: Review): Map<string, string> {
  const [source] = notice.sources;
  const file = source?.file.replace(/\.[a-z]+$/, ".gt.json") ?? "";
  const page = JSON.parse(readFileSync(path.join(fixtures, "truth/newspapers", file), "utf8"));
  const [left = 0, top = 0, width = 0, height = 0] = source?.box ?? [];
  const [x, y] = [(left + width / 2) * page.size_px[0], (top + height / 2) * page.size_px[1]];
  const found = (page.notices as TruthNotice[]).find(({ type, quad_px: corners }) => {
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    return (
      type === "tender" &&
      x > Math.min(...xs) &&
      x < Math.max(...xs) &&
      y > Math.min(...ys) &&
      y < Math.max(...ys)
    );
  });
  const fields = found?.fields ?? {};
  const isPast = String(fields.closing_date) < (notice.dates.published?.slice(0, 10) ?? "");
  const closing = [fields.closing_date, fields.closing_time].filter(Boolean).join(" ");
  const values = {
    title: fields.title,
    "organization.name": fields.organisation,
    referenceNo: fields.reference_no,
    "dates.closing": closing,
    "location.district": fields.district,
    "financials.bidBond.amount": fields.bid_security_amount,
    "documentFee.amount": fields.document_fee,
  };
  const stated = Object.entries(values).flatMap(([path, value]) =>
    value ? [[path, String(value)] as const] : [],
  );
  return new Map(isPast ? [...stated, ["dates.closing", ""]] : stated);
}

const plain = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");
const isSame = (a: string, b: string) =>
  plain(a) === plain(b) || (/^[\d,. ]+$/.test(a) && Number(a.replaceAll(",", "")) === Number(b));

const titleOf = (page: Page) => page.getByRole("textbox", { name: /^Title/ });

const focusedPath = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset.path : null,
  );

/** Corrects the shown notice by keyboard and accepts it. Returns the number of keys. */
async function reviewByKeyboard(page: Page, truth: Map<string, string>): Promise<number> {
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const controls = page.locator("form [data-path]");
  const paths = await controls.evaluateAll((all) =>
    all.map((one) => (one as HTMLElement).dataset.path ?? ""),
  );
  for (const path of paths) {
    const control = page.locator(`form [data-path="${path}"]`);
    const wanted = truth.get(path);
    if (wanted === undefined || isSame(await control.inputValue(), wanted)) continue;
    for (let steps = 0; (await focusedPath(page)) !== path && steps < 60; steps += 1) await press("Tab");
    const proposals = control.locator("xpath=ancestor::div[contains(@class,'group')]").getByRole("button");
    const texts = await proposals.evaluateAll((all) =>
      all.map((one) => one.querySelector("span")?.textContent ?? ""),
    );
    const proposed = texts.findIndex((text) => isSame(text, wanted));
    if (proposed >= 0) await press(`Alt+${proposed + 1}`);
    else if (wanted === "") {
      await press("ControlOrMeta+a");
      await press("Delete");
    } else {
      if ((await control.evaluate((one) => one.tagName)) !== "SELECT") await press("ControlOrMeta+a");
      keys += wanted.length;
      await page.keyboard.type(wanted);
    }
    if (wanted !== "") await expect(control).toHaveValue(/./);
  }
  await press("Enter");
  return keys;
}

test("the doubtful notices of the fixtures take few keys", async ({ page }) => {
  test.setTimeout(180_000);
  const token = await createOperatorToken();
  for (const notice of doubtful) await hold(token, notice);
  // The app repeats a request that a busy portal has refused with 503.
  const response = (path: string) =>
    page.waitForResponse(
      (one) => one.request().method() === "POST" && one.url().endsWith(path) && one.status() !== 503,
    );
  await startSession(page, "admin@demo.test");
  const efforts: { keys: number; seconds: number }[] = [];
  for (const { key } of doubtful) {
    // The address opens this notice; the next ones of the queue may belong to other tests.
    const claim = response(`/api/operate/review/${key}/claim`);
    await page.goto(`/operate/review?notice=${key}`);
    const claimed = await claim;
    expect(claimed.status(), await claimed.text()).toBe(200);
    const review: Review = (await claimed.json()).data.notice;
    await expect(titleOf(page)).toHaveValue(review.notice.title);
    // The next notice may have the same title: it is another print, or the one that `ingest` published.
    const form = await page.locator("form", { has: titleOf(page) }).elementHandle();
    const decision = response(`/api/operate/review/${key}`);
    const started = performance.now();
    const keys = await reviewByKeyboard(page, truthOf(review));
    await expect.poll(() => form?.evaluate((one) => one.isConnected), { intervals: [10] }).toBe(false);
    efforts.push({ keys, seconds: (performance.now() - started) / 1000 });
    const answer = await decision;
    expect(answer.status(), await answer.text()).toBe(200);
  }
  const sum = (of: (effort: (typeof efforts)[number]) => number) =>
    efforts.reduce((all, one) => all + of(one), 0);
  const untouched = efforts.filter(({ keys }) => keys === 1).length;
  const summary = `${efforts.length} notices, ${(sum(({ keys }) => keys) / efforts.length).toFixed(1)} keys each, ${untouched} with one key, ${(sum(({ seconds }) => seconds) / efforts.length).toFixed(2)} s each`;
  test.info().annotations.push({ type: "effort", description: summary });
  console.log(summary);
  expect(efforts.length).toBe(doubtful.length);
  expect(untouched / efforts.length).toBeGreaterThan(0.5);
});
