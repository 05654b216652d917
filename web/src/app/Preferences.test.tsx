import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { chooseLanguage } from "@/i18n/i18n.ts";
import { renderAt } from "@/testing/render.tsx";
import { LanguageSelect, LanguageSwitch, ThemeSwitch } from "./Preferences.tsx";

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

it("switches to the language that is selected in the list", async () => {
  renderAt(<LanguageSelect />);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Language" }), "தமிழ்");
  expect(await screen.findByRole("combobox", { name: "மொழி" })).toHaveValue("ta");
});

it("marks the chosen theme as pressed", async () => {
  renderAt(<ThemeSwitch />);
  expect(screen.getByRole("button", { name: "System" })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(screen.getByRole("button", { name: "Dark" }));
  expect(screen.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
  expect(screen.getByRole("button", { name: "System" })).toHaveAttribute("aria-pressed", "false");
});
