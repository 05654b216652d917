import { afterEach, describe, expect, it } from "vitest";
import { chooseLanguage } from "@/i18n/i18n.ts";
import { formatMoment } from "./dates.ts";
import { formatAmount, formatMillions } from "./money.ts";

afterEach(() => chooseLanguage("en"));

describe("days and money", () => {
  it.each([
    ["en", "Tue 14 May 2024, 2.30 p.m.", "LKR 12.5 million"],
    ["si", "2024 මැයි 14, අඟහ, ප.ව. 2.30", "LKR මිලියන 12.5"],
    ["ta", "செவ்., 14 மே 2024, பி.ப. 2.30", "LKR 12.5 மில்லியன்"],
  ] as const)("are formatted in %s with the same figures", async (language, moment, millions) => {
    await chooseLanguage(language);
    expect(formatMoment("2024-05-14T14:30:00+05:30")).toBe(moment);
    expect(formatMillions(12.5, "LKR")).toBe(millions);
    expect(formatAmount(1_250_000, "LKR")).toBe("LKR 1,250,000");
  });
});
