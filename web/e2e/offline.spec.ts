// Offline use: which pages can be read, which data is removed on sign-out, and how a new deployment
// replaces the old one.

import type { BrowserContext, Page } from "@playwright/test";
import { Deployments, SECOND_SUFFIX } from "./deployments.ts";
import { cards, expect, expectNoViolations, signIn, test } from "./fixtures.ts";

/**
 * Waits until the service worker controls the page and has cached all files that the page loaded,
 * among them those of the listing.
 */
async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const areCached = () =>
    page.evaluate(async () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      const files = loaded.filter((name) => new URL(name).pathname.startsWith("/assets/"));
      const cached = await Promise.all(files.map((name) => caches.match(name, { ignoreVary: true })));
      return cached.every(Boolean) && files.some((name) => name.includes("/TendersRoute-"));
    });
  await expect.poll(areCached).toBe(true);
}

/** The paths of all cached files, as one text. */
function cachedFiles(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const cached = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return cached.flatMap((requests) => requests.map(({ url }) => new URL(url).pathname)).join("\n");
  });
}

/** All cached responses of the portal, as one text. */
function cachedResponses(page: Page): Promise<string> {
  return page.evaluate(async () => {
    // Opening a missing database would create it without the app's stores.
    const isThere = (await indexedDB.databases()).some(({ name }) => name === "kept-answers");
    if (!isThere) return "";
    return new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open("kept-answers");
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const database = opening.result;
        const reading = database.transaction("answers").objectStore("answers").getAll();
        reading.onsuccess = () => {
          database.close();
          resolve(JSON.stringify(reading.result));
        };
      };
    });
  });
}

/** The address of a search whose results have clips. */
const TENDERS_WITH_CLIP = "/tenders?search=road";

const offlineLine = (page: Page) => page.getByText(/^You are offline\. This is what was loaded at /);

test("loaded pages can be read offline, and say so until the network is back", async ({
  page,
  context,
  pageErrors,
  stats,
}) => {
  await page.goto("/tenders");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(`PUBLISHED TENDERS: ${stats.totalTenders}`);
  await expect.poll(() => cachedResponses(page)).toContain(`"totalCount":${stats.totalTenders}`);
  await page.goto(TENDERS_WITH_CLIP);
  const card = cards(page).first();
  const title = (await card.getByRole("heading").textContent()) ?? "";
  await card.getByRole("button", { name: /^View Details/ }).click();
  await expect(card.locator(".notice-text")).not.toBeEmpty();
  const clip = card.getByRole("img", { name: /^Newspaper clip/ });
  await expect(clip).toBeVisible();
  await card.getByRole("link", { name: "Link to this tender" }).click();
  await expect(heading).toHaveText(title);
  const address = page.url();
  await waitForWorker(page);
  await expect.poll(() => cachedFiles(page)).toContain("/api/clips/");
  await expect.poll(() => cachedResponses(page)).toContain(title.slice(0, 20));

  await context.setOffline(true);
  await expect(page.getByRole("status", { name: "Connection: No Internet" })).toBeVisible();
  await expect(offlineLine(page)).toBeVisible();
  await page.reload();
  await expect(heading).toHaveText(title);
  await expect(offlineLine(page)).toBeVisible();
  await expect(page.locator(".notice-text")).not.toBeEmpty();
  const image = page.getByRole("img", { name: /^Newspaper clip/ });
  await expect
    .poll(() => image.evaluate((found: HTMLImageElement) => found.naturalWidth))
    .toBeGreaterThan(50);
  await expectNoViolations(page);

  // Cached pages open by navigation within the app and by an entered address.
  await page.getByRole("link", { name: "All tenders" }).click();
  await expect(heading).toHaveText(`PUBLISHED TENDERS: ${stats.totalTenders}`);
  await expect(cards(page).first()).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  await page.goto(address);
  await expect(heading).toHaveText(title);

  // A page that was never opened shows an error and a way back.
  await page.goto("/about");
  await expect(page.getByRole("heading", { name: "This page could not be loaded" })).toBeVisible();
  await page.getByRole("link", { name: "Go Home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("read for you");
  await page.goto(address);

  await context.setOffline(false);
  await expect(page.getByRole("status", { name: "Connection: Connected" })).toBeVisible({
    timeout: 30_000,
  });
  await expect(offlineLine(page)).toHaveCount(0);
  // Offline, the browser logs errors for chunks and calls. They are expected.
  pageErrors.length = 0;
});

test("a page that was loaded during the worker's installation is available offline too", async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto("/");
  await page.goto("/tenders");
  await expect(cards(page).first()).toBeVisible();
  await waitForWorker(page);
  await context.setOffline(true);
  await page.reload();
  await expect(offlineLine(page)).toBeVisible();
  await expect(cards(page).first()).toBeVisible();
  pageErrors.length = 0;
});

test("a page that was loading during the worker's activation is controlled by the worker", async ({
  page,
  context,
}) => {
  // The page is delayed after the browser has decided to load it without the worker.
  let release = () => {};
  const workerCame = new Promise<void>((resolve) => {
    release = resolve;
  });
  const requested = page.waitForRequest("**/tenders");
  await page.route("**/tenders", async (route) => {
    await workerCame;
    await route.continue();
  });
  const loading = page.goto("/tenders");
  await requested;
  const first = await context.newPage();
  await first.goto("/");
  await first.waitForFunction(() => navigator.serviceWorker.controller !== null);
  release();
  await loading;
  await waitForWorker(page);
});

test("signing out removes all data of the account, even offline, and no other user can read it", async ({
  page,
  context,
  pageErrors,
}) => {
  await signIn(page, "professional@demo.test");
  await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
  // The chunk of this page is cached once the worker is active.
  await expect.poll(() => cachedFiles(page)).toContain("/assets/DashboardPage-");
  await page.goto(TENDERS_WITH_CLIP);
  await cards(page)
    .first()
    .getByRole("button", { name: /^View Details/ })
    .click();
  await expect(
    cards(page)
      .first()
      .getByRole("img", { name: /^Newspaper clip/ }),
  ).toBeVisible();
  await waitForWorker(page);
  await expect.poll(() => cachedResponses(page)).toContain("professional@demo.test");
  await expect.poll(() => cachedFiles(page)).toContain("/api/clips/");

  await context.setOffline(true);
  await page.goto("/supplier/dashboard");
  await expect(page.getByRole("banner").getByText(/^Welcome, /)).toBeVisible();
  await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
  await page.getByRole("banner").getByRole("button", { name: "Sign out" }).click();
  await expect(
    page.getByText("You are signed out in this browser, but the portal could not be reached."),
  ).toBeVisible();
  await expect.poll(() => cachedResponses(page)).not.toContain("professional@demo.test");
  await expect.poll(() => cachedFiles(page)).not.toContain("/api/clips/");
  expect(await page.evaluate(() => Object.keys(window.localStorage))).toEqual([]);

  // Neither a guest nor the next user sees the cached data.
  await page.goto("/tenders");
  await expect(page.getByRole("region", { name: "Tenders" }).getByRole("alert")).toContainText(
    "Error loading tenders",
  );
  await context.setOffline(false);
  await signIn(page, "buyer@demo.test");
  await expect(page).toHaveURL(/\/tenders$/);
  await expect.poll(() => cachedResponses(page)).toContain("buyer@demo.test");
  expect(await cachedResponses(page)).not.toContain("professional@demo.test");
  pageErrors.length = 0;
});

test("an account's data is removed even if the page is closed during sign-out", async ({ page }) => {
  await signIn(page, "supplier@demo.test");
  await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
  await expect.poll(() => cachedResponses(page)).toContain("supplier@demo.test");
  // At this address the app does not run, so only the session is cleared, as if the page had been
  // closed during the sign-out.
  await page.goto("/theme.js");
  await page.evaluate(() => window.localStorage.clear());
  expect(await cachedResponses(page)).toContain("supplier@demo.test");
  await page.goto("/");
  await expect.poll(() => cachedResponses(page)).not.toContain("supplier@demo.test");
});

test("only the app's files and the clips are cached, and no other response of the API", async ({ page }) => {
  await signIn(page, "supplier@demo.test");
  await expect(page.getByRole("heading", { name: "My Tenders" })).toBeVisible();
  await page.goto("/tenders");
  await expect(cards(page).first()).toBeVisible();
  await waitForWorker(page);
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  const files = (await cachedFiles(page)).split("\n");
  expect(files.filter((file) => file.startsWith("/api/") && !file.startsWith("/api/clips/"))).toEqual([]);
  expect(
    files.filter((file) => !/^\/(?:assets\/|api\/clips\/|index\.html$|theme\.js$|mark\.svg$)/.test(file)),
  ).toEqual([]);
});

/** The state of the service worker that was installed last, without asking a page. */
async function lastWorkerState(context: BrowserContext): Promise<string | undefined> {
  return context
    .serviceWorkers()
    .at(-1)
    ?.evaluate(() => (self as unknown as { serviceWorker: ServiceWorker }).serviceWorker.state);
}

test("a new deployment replaces the old one completely, in an open page and offline", async ({
  page,
  context,
  pageErrors,
}) => {
  const isOfFirstDeployment = (file: string) =>
    file.endsWith(".js") && file !== "/theme.js" && !file.endsWith(SECOND_SUFFIX);
  const deployments = new Deployments();
  const address = await deployments.start();
  const entry = () => page.locator('script[type="module"]').getAttribute("src");
  try {
    await page.goto(address);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(await entry()).not.toContain(SECOND_SUFFIX);

    // The open page requests a removed file, and then continues with the new deployment.
    deployments.deploySecond();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Tenders", exact: true })
      .click();
    await expect(page).toHaveURL(/\/tenders$/);
    await expect(cards(page).first()).toBeVisible();
    expect(await entry()).toContain(SECOND_SUFFIX);

    // The new worker takes over with its files when no page of the old worker is open.
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    const isWaiting = () => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
    await expect.poll(isWaiting).toBe(true);
    await page.goto("about:blank");
    await expect.poll(() => lastWorkerState(context), { timeout: 30_000 }).toBe("activated");
    await page.goto(`${address}/tenders`);
    await expect(cards(page).first()).toBeVisible();
    expect((await cachedFiles(page)).split("\n").filter(isOfFirstDeployment)).toEqual([]);
    await waitForWorker(page);
    await context.setOffline(true);
    await page.reload();
    await expect(offlineLine(page)).toBeVisible();
    await expect(cards(page).first()).toBeVisible();
    expect(await entry()).toContain(SECOND_SUFFIX);
  } finally {
    await context.setOffline(false);
    await page.goto("about:blank");
    await deployments.stop();
  }
  pageErrors.length = 0;
});
