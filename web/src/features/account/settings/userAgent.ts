// Describes a browser by name and operating system.

const BROWSERS = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;

const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["Mac", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** The browser and the system in a User-Agent header; `null` for unknown ones. */
export function parseUserAgent(agent: string | null): { browser: string | null; system: string | null } {
  const find = (known: readonly (readonly [string, RegExp])[]) =>
    known.find(([, mark]) => mark.test(agent ?? ""))?.[0] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
