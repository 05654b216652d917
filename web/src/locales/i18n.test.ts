import { afterEach, describe, expect, it, vi } from "vitest";
import { formatMoment } from "@/features/tenders/dates.ts";
import { formatAmount, formatMillions } from "@/features/tenders/money.ts";
import { chooseLanguage, currentLanguage, i18next, startLanguage } from "./i18n.ts";
import { languageFor, rememberedLanguage } from "./languages.ts";

const browserAsksFor = (...tags: string[]) => vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);

afterEach(async () => {
  await chooseLanguage("en");
  window.localStorage.clear();
});

describe("the language of a reader", () => {
  it.each([
    ["ta", ["si-LK"], "ta"],
    [null, ["si-LK", "en"], "si"],
    [null, ["de", "ta-IN", "en"], "ta"],
    [null, ["en-US", "si"], "en"],
    [null, ["SI_lk"], "si"],
    [null, ["fr"], "en"],
    [null, [], "en"],
    ["fr", ["si"], "si"],
    ["", ["sit"], "en"],
  ])("chose %j, asks for %j: %s", (remembered, asked, language) => {
    expect(languageFor(remembered, asked)).toBe(language);
  });
});

describe("choosing a language", () => {
  it("changes the words and the page's language, and is remembered", async () => {
    await chooseLanguage("si");
    expect(i18next.t("shell.nav.home")).toBe("මුල් පිටුව");
    expect(document.documentElement.lang).toBe("si");
    expect(currentLanguage()).toBe("si");
    expect(rememberedLanguage()).toBe("si");
    await chooseLanguage("en");
    expect(i18next.t("shell.nav.home")).toBe("Home");
    expect(document.documentElement.lang).toBe("en");
  });

  it("takes the last of two quick choices", async () => {
    await Promise.all([chooseLanguage("ta"), chooseLanguage("en")]);
    expect(currentLanguage()).toBe("en");
  });

  it("falls back to English for what a language lacks", async () => {
    i18next.addResource("en", "translation", "shell.onlyInEnglish", "Only in English");
    await chooseLanguage("ta");
    expect(i18next.t("shell.onlyInEnglish" as "shell.name")).toBe("Only in English");
  });
});

describe("the first page", () => {
  it("begins in the language that is remembered", async () => {
    browserAsksFor("en-US");
    window.localStorage.setItem("language", "ta");
    await startLanguage();
    expect(currentLanguage()).toBe("ta");
  });

  it("asks the browser on a first visit, and remembers nothing that nobody chose", async () => {
    browserAsksFor("si-LK", "en");
    await startLanguage();
    expect(currentLanguage()).toBe("si");
    expect(rememberedLanguage()).toBeNull();
  });

  it("does not wait for ever", async () => {
    browserAsksFor("si");
    vi.spyOn(i18next, "changeLanguage").mockReturnValueOnce(new Promise(() => {}));
    await startLanguage(10);
    expect(currentLanguage()).toBe("en");
  });

  it("begins in English when the language cannot be had", async () => {
    browserAsksFor("si");
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    vi.spyOn(i18next, "changeLanguage").mockRejectedValueOnce(new Error("Failed to fetch"));
    await startLanguage();
    expect(currentLanguage()).toBe("en");
    expect(warned).toHaveBeenCalledOnce();
  });
});

describe("days and money", () => {
  it.each([
    ["en", "Tue 14 May 2024, 2.30 p.m.", "LKR 12.5 million"],
    ["si", "2024 මැයි 14, අඟහ, ප.ව. 2.30", "LKR මිලියන 12.5"],
    ["ta", "செவ்., 14 மே 2024, பி.ப. 2.30", "LKR 12.5 மில்லியன்"],
  ] as const)("are said in %s, with the same figures", async (language, moment, millions) => {
    await chooseLanguage(language);
    expect(formatMoment("2024-05-14T14:30:00+05:30")).toBe(moment);
    expect(formatMillions(12.5, "LKR")).toBe(millions);
    expect(formatAmount(1_250_000, "LKR")).toBe("LKR 1,250,000");
  });
});
