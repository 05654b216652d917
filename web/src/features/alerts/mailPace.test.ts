import { expect, it } from "vitest";
import en from "@/i18n/en/alerts.json";
import { createTranslator } from "@/i18n/translate.ts";
import { mailPace } from "./mailPace.ts";

const t = createTranslator("en", () => ({ alerts: en }));

it.each([
  [0.1, "Less than one e-mail a month."],
  [0.2, "About one e-mail a month."],
  [0.25, "About one e-mail a month."],
  [0.33, "About one e-mail every three weeks."],
  [0.5, "About one e-mail every two weeks."],
  [1, "About one e-mail a week."],
  [1.6, "About 2 e-mails a week."],
  [7, "About 7 e-mails a week."],
])("says %d e-mails a week as %s", (mails, text) => {
  expect(mailPace(mails, t)).toBe(text);
});
