import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { loadPageTexts, t } from "@/i18n/i18n.ts";
import { changeHistory } from "./changeHistory.ts";

type Changes = NonNullable<Tender["changes"]>;

const change = (field: string, from: unknown, to: unknown, more = {}) => ({
  at: "2026-11-20T12:00:00+05:30",
  field,
  from,
  to,
  source: "owner",
  ...more,
});

it("shows old and new values, latest first", async () => {
  await loadPageTexts();
  const entries = changeHistory(
    [
      change("dates.closing", "2026-12-01T14:00:00+05:30", "2026-12-08T14:00:00+05:30"),
      change("location.city", null, "Weligama"),
      change("status", "published", "cancelled", {
        at: "2026-11-21T12:00:00+05:30",
        source: "Daily Lanka, 2026-11-21, page 4",
      }),
    ] as Changes,
    t,
  );
  expect(entries).toEqual([
    {
      at: "2026-11-21T12:00:00+05:30",
      source: "Daily Lanka, 2026-11-21, page 4",
      changes: [{ field: "status", label: "Status", from: "Published", to: "Cancelled" }],
    },
    {
      at: "2026-11-20T12:00:00+05:30",
      source: null,
      changes: [
        {
          field: "dates.closing",
          label: "Closes",
          from: "Tue 1 Dec 2026, 2.00 p.m.",
          to: "Tue 8 Dec 2026, 2.00 p.m.",
        },
        { field: "location.city", label: "Place", from: "", to: "Weligama" },
      ],
    },
  ]);
});

it("formats each kind of value and omits changes without a visible difference", async () => {
  await loadPageTexts();
  const textsOf = (field: string, from: unknown, to: unknown) => {
    const [entry] = changeHistory([change(field, from, to)] as Changes, t);
    return entry?.changes[0];
  };
  expect(textsOf("documents", [{ _id: "1", name: "a.pdf", size: 1 }], [])).toMatchObject({
    from: "a.pdf",
    to: "",
  });
  expect(textsOf("financials.estimatedValue", null, { amount: 2.5, currency: "LKR" })?.to).toBe(
    "LKR 2.5 million",
  );
  expect(textsOf("financials.bidBond.amount", 1250000, 0)).toMatchObject({ from: "1,250,000", to: "0" });
  expect(textsOf("tags", ["a"], ["a", "b"])?.to).toBe("a, b");
  expect(textsOf("something.new", { deep: { er: ["x", 2] } }, null)).toMatchObject({
    label: "something.new",
    from: "x, 2",
  });
  expect(textsOf("fullTextMarkdown", "", "word ".repeat(500))?.to).toHaveLength(160);
  expect(textsOf("organization.type", "private", "of another kind")?.to).toBe("of another kind");
  expect(textsOf("description", "a  b", "a b")).toBeUndefined();
});

it("tells what changed in grades and lots", async () => {
  await loadPageTexts();
  const [entry] = changeHistory(
    [
      change("cida", [{ grade: "C5" }], [{ grade: "C5", field: "Buildings", alsoAdmits: "higher" }]),
      change(
        "lots",
        [{ number: "1", title: "Hostel" }],
        [{ number: "1", title: "Hostel", bidBond: { required: true, percentage: 2 } }],
      ),
    ] as Changes,
    t,
  );
  expect(entry?.changes.map(({ from, to }) => [from, to])).toEqual([
    ["C5", "C5 or above (Buildings)"],
    ["1: Hostel", expect.stringMatching(/^1: Hostel \(2.*\)$/)],
  ]);
});
