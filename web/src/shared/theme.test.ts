// Tests the choice of theme together with `public/theme.js`, which the page runs before the app.

import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chooseTheme, readTheme } from "./theme.ts";

/** Simulates a device with a light or dark theme. Returns a function that changes the theme. */
function stubDevice(dark: boolean) {
  const listeners: (() => void)[] = [];
  const query = {
    matches: dark,
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
  };
  vi.stubGlobal("matchMedia", () => query);
  return (now: boolean) => {
    query.matches = now;
    for (const listener of listeners) listener();
  };
}

/** Runs `public/theme.js` as the page does. */
function runThemeScript() {
  new Function(readFileSync("public/theme.js", "utf8"))();
}

const page = () => ({
  theme: document.documentElement.dataset.theme,
  scheme: document.querySelector('meta[name="color-scheme"]')?.getAttribute("content"),
  colour: document.querySelector('meta[name="theme-color"]')?.getAttribute("content"),
});

const light = { theme: "light", scheme: "light", colour: "#ffffff" };
const dark = { theme: "dark", scheme: "dark", colour: "#000000" };

beforeEach(() => {
  document.head.innerHTML = `<meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#ffffff" data-light="#ffffff" data-dark="#000000">`;
});

describe("the theme", () => {
  it.each([
    ["dark", false, dark],
    ["light", true, light],
    ["system", true, dark],
    ["system", false, light],
    [null, true, dark],
    ["mauve", false, light],
  ])("applies the stored choice %j on a device with a dark theme: %j", (remembered, isDark, expected) => {
    stubDevice(isDark);
    if (remembered) window.localStorage.setItem("theme", remembered);
    runThemeScript();
    expect(page()).toEqual(expected);
  });

  it("changes at once when it is chosen, and is stored", () => {
    stubDevice(false);
    runThemeScript();
    chooseTheme("dark");
    expect(page()).toEqual(dark);
    expect(readTheme()).toBe("dark");
    chooseTheme("system");
    expect(page()).toEqual(light);
    expect(readTheme()).toBe("system");
  });

  it("follows the device until the user chooses", () => {
    const setDeviceDark = stubDevice(false);
    runThemeScript();
    setDeviceDark(true);
    expect(page()).toEqual(dark);
    chooseTheme("light");
    setDeviceDark(true);
    expect(page()).toEqual(light);
  });

  it("follows a choice in another tab", () => {
    stubDevice(false);
    runThemeScript();
    window.localStorage.setItem("theme", "dark");
    window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
    expect(page()).toEqual(dark);
  });

  it("without storage, is the device's theme until the user chooses", () => {
    stubDevice(true);
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new Error("denied");
    });
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("denied");
    });
    runThemeScript();
    expect(page()).toEqual(dark);
    chooseTheme("light");
    expect(page()).toEqual(light);
    expect(readTheme()).toBe("light");
  });
});
