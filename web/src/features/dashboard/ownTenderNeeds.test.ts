import { expect, it } from "vitest";
import type { Tender } from "@/api/types.ts";
import { needOf } from "./ownTenderNeeds.ts";

const published = {
  status: "published",
  isExpired: false,
  dates: { closing: "2026-12-18T14:00:00+05:30" },
  submission: { methods: ["tender-box"] },
} as Tender;

it.each([
  ["nothing, if bidders know the hour and how to deliver bids", {}, null],
  ["how bids are delivered", { submission: {} }, "delivery"],
  ["nothing, if a notice is printed", { submission: null, sources: [{ publication: "Daily Lanka" }] }, null],
  ["the hour", { dates: { closing: "2026-12-18T23:59:59+05:30" } }, "hour"],
  ["the closing", { dates: {} }, "closing"],
  ["a decision after the closing", { isExpired: true }, "decision"],
  ["the rest of a draft", { status: "draft" }, "draft"],
  [
    "nothing, while the portal checks a draft",
    { status: "draft", moderation: { heldAt: "2026-12-01" } },
    null,
  ],
  ["nothing, if it was taken down", { moderation: { takedown: { reason: "", at: "2026-12-01" } } }, null],
  ["nothing, if it is awarded", { status: "awarded" }, null],
])("asks the publisher for %s", (_, more, need) => {
  expect(needOf({ ...published, ...more } as Tender)).toBe(need);
});
