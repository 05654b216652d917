import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { chooseLanguage } from "@/i18n/i18n.ts";
import { renderAt } from "@/testing/render.tsx";
import { LanguageSwitch, ShortLanguageSwitch, ThemeSwitch } from "./Preferences.tsx";

afterEach(() => chooseLanguage("en"));

it("labels each language in that language and switches to the pressed one", async () => {
  renderAt(<LanguageSwitch />);
  const sinhala = screen.getByRole("button", { name: "සිංහල" });
  expect(sinhala).toHaveAttribute("lang", "si");
  expect(screen.getByRole("button", { name: "English" })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(sinhala);
  expect(await screen.findByRole("group", { name: "භාෂාව" })).toBeInTheDocument();
  expect(sinhala).toHaveAttribute("aria-pressed", "true");
});

it("shows a short name of each language in the bar and switches to the pressed one", async () => {
  renderAt(<ShortLanguageSwitch />);
  const buttons = within(screen.getByRole("group", { name: "Language" })).getAllByRole("button");
  expect(buttons.map(({ textContent }) => textContent)).toEqual(["සිං", "த", "EN"]);
  const tamil = screen.getByRole("button", { name: "தமிழ்" });
  expect(tamil).toHaveAttribute("lang", "ta");
  await userEvent.click(tamil);
  expect(await screen.findByRole("group", { name: "மொழி" })).toBeInTheDocument();
  expect(tamil).toHaveAttribute("aria-pressed", "true");
});

it("marks the chosen theme as pressed", async () => {
  renderAt(<ThemeSwitch />);
  expect(screen.getByRole("button", { name: "System" })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(screen.getByRole("button", { name: "Dark" }));
  expect(screen.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("button", { name: "System" })).toHaveAttribute("aria-pressed", "false");
});
