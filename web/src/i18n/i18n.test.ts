import { afterEach, describe, expect, it, vi } from "vitest";
import { chooseLanguage, currentLanguage, startLanguage, t } from "./i18n.ts";
import { languageFor, storedLanguage } from "./languages.ts";

const browserPrefers = (...tags: string[]) => vi.spyOn(navigator, "languages", "get").mockReturnValue(tags);

afterEach(async () => {
  await chooseLanguage("en");
  window.localStorage.clear();
});

describe("the language of a visitor", () => {
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
  ])("stored %j, browser prefers %j: uses %s", (stored, preferred, language) => {
    expect(languageFor(stored, preferred)).toBe(language);
  });
});

describe("choosing a language", () => {
  it("changes the texts and the page's language and stores the choice", async () => {
    await chooseLanguage("si");
    expect(t("shell.nav.home")).toBe("මුල් පිටුව");
    expect(document.documentElement.lang).toBe("si");
    expect(currentLanguage()).toBe("si");
    expect(storedLanguage()).toBe("si");
    await chooseLanguage("en");
    expect(t("shell.nav.home")).toBe("Home");
    expect(document.documentElement.lang).toBe("en");
  });

  it("applies the last of two quick choices", async () => {
    const slow = chooseLanguage("ta");
    await chooseLanguage("en");
    await slow;
    expect(currentLanguage()).toBe("en");
    expect(storedLanguage()).toBe("en");
  });
});

describe("the first page", () => {
  it("starts in the stored language", async () => {
    browserPrefers("en-US");
    window.localStorage.setItem("language", "ta");
    await startLanguage();
    expect(currentLanguage()).toBe("ta");
  });

  it("uses the browser's language on a first visit and stores nothing", async () => {
    browserPrefers("si-LK", "en");
    await startLanguage();
    expect(currentLanguage()).toBe("si");
    expect(storedLanguage()).toBeNull();
  });

  describe("when its texts do not load", () => {
    /** Imports a fresh copy of `i18n.ts`, whose Sinhala texts come from `loader`. */
    async function importAgain(loader: () => unknown) {
      vi.resetModules();
      vi.doMock("./si/first.ts", loader as () => object);
      browserPrefers("si");
      return import("./i18n.ts");
    }

    afterEach(() => {
      vi.doUnmock("./si/first.ts");
      vi.resetModules();
    });

    it("starts in English after the longest wait", async () => {
      const { currentLanguage, startLanguage, t } = await importAgain(() => new Promise(() => {}));
      await startLanguage(10);
      expect(currentLanguage()).toBe("en");
      expect(t("shell.nav.home")).toBe("Home");
    });

    it("starts in English, logs a warning, and loads the texts again when the language is chosen", async () => {
      const warned = vi.spyOn(console, "warn").mockReturnValue();
      const { chooseLanguage, currentLanguage, startLanguage, t } = await importAgain(() => {
        throw new Error("Failed to fetch");
      });
      await startLanguage();
      expect(currentLanguage()).toBe("en");
      expect(warned).toHaveBeenCalledOnce();
      await expect(chooseLanguage("si")).rejects.toThrow();
      expect(storedLanguage()).toBeNull();
      vi.doMock("./si/first.ts", () => ({ first: { shell: { nav: { home: "මුල් පිටුව" } } } }));
      await chooseLanguage("si");
      expect(t("shell.nav.home")).toBe("මුල් පිටුව");
    });

    it("loads the texts of the other pages in English", async () => {
      vi.spyOn(console, "warn").mockReturnValue();
      const { loadPageTexts, startLanguage, t } = await importAgain(() => {
        throw new Error("Failed to fetch");
      });
      await startLanguage();
      expect(t("tenders.title")).toBe("tenders.title");
      await loadPageTexts();
      expect(t("tenders.title")).not.toBe("tenders.title");
    });
  });
});
