// Creates one picture of each mail in the folder SAMPLES. The picture shows the mail on a desktop
// and on a phone, in light and in dark colours, side by side.
// Usage: node e2e/mailPictures.mjs SAMPLES PICTURES

import { mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";
import { chromiumPath } from "./chromium.js";

const [samples, pictures] = process.argv.slice(2);
/** The width in pixels and the colours of each view. */
const views = [
  [700, "light"],
  [700, "dark"],
  [390, "light"],
  [390, "dark"],
];
/** Longer mails are cut off at this height, in pixels. */
const height = 1500;

const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--disable-gpu"],
});
await mkdir(pictures, { recursive: true });

async function renderView(html, width, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.setContent(html);
  const whole = await page.evaluate(() => document.documentElement.getBoundingClientRect().height);
  const clip = { x: 0, y: 0, width, height: Math.min(Math.ceil(whole), height) };
  const picture = await page.screenshot({ clip });
  await page.close();
  return `<img width="${width * 0.6}" src="data:image/png;base64,${picture.toString("base64")}">`;
}

for (const file of (await readdir(samples)).filter((name) => name.endsWith(".html")).sort()) {
  const html = await readFile(path.join(samples, file), "utf8");
  const shown = [];
  for (const [width, colorScheme] of views) shown.push(await renderView(html, width, colorScheme));
  const sheet = await browser.newPage({ viewport: { width: 1400, height: 100 } });
  await sheet.setContent(
    `<body style="margin:0;padding:12px;display:flex;gap:12px;align-items:start;background:#8a8f98">${shown.join("")}`,
  );
  const picture = path.join(pictures, file.replace(".html", ".jpg"));
  await sheet.screenshot({ path: picture, type: "jpeg", quality: 72, fullPage: true });
  await sheet.close();
}
await browser.close();
