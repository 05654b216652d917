import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { calendarFile } from "./calendarFile.ts";

const titles = { closing: "Closes", preBid: "Pre-bid meeting" };
const now = new Date("2026-11-20T06:30:00Z");
const address = "https://portal.example/tenders/7";

const tender = (more: object) =>
  ({ _id: "7", title: "Chairs", status: "published", ...more }) as unknown as Tender;

it("contains the closing and the meeting, each with a reminder", () => {
  const text = calendarFile(
    tender({
      referenceNo: "S/1",
      organization: { name: "Abans" },
      dates: { closing: "2026-12-01T14:00:00+05:30" },
      preBid: { at: "2026-11-25T10:00:00+05:30", place: "Hall; 2nd floor, Galle" },
    }),
    address,
    titles,
    now,
  );
  const lines = text?.split("\r\n") ?? [];
  expect(lines[0]).toBe("BEGIN:VCALENDAR");
  expect(lines.at(-2)).toBe("END:VCALENDAR");
  expect(lines.filter((line) => line.startsWith("DTSTART"))).toEqual([
    "DTSTART:20261201T083000Z",
    "DTSTART:20261125T043000Z",
  ]);
  expect(lines).toContain("DTSTAMP:20261120T063000Z");
  expect(lines).toContain("SUMMARY:Closes: Chairs");
  expect(lines).toContain("DESCRIPTION:Abans\\, S/1\\nhttps://portal.example/tenders/7");
  expect(lines).toContain("LOCATION:Hall\\; 2nd floor\\, Galle");
  expect(lines.filter((line) => line === "TRIGGER:-P2D")).toHaveLength(2);
});

it("folds long lines between characters and escapes line breaks", () => {
  const title = `${"ලංසු ".repeat(40)}\r\nBEGIN:VEVENT`;
  const text = calendarFile(
    tender({ title, dates: { closing: "2026-12-01T14:00:00+05:30" } }),
    address,
    titles,
    now,
  );
  const lines = text?.split("\r\n") ?? [];
  for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(lines.filter((line) => line === "BEGIN:VEVENT")).toHaveLength(1);
  const unfolded = text?.replaceAll("\r\n ", "") ?? "";
  expect(unfolded).toContain(`SUMMARY:Closes: ${"ලංසු ".repeat(40)}\\nBEGIN:VEVENT`);
});

it("is null without a valid time", () => {
  expect(calendarFile(tender({}), address, titles, now)).toBeNull();
  expect(calendarFile(tender({ dates: { closing: "soon" } }), address, titles, now)).toBeNull();
});
