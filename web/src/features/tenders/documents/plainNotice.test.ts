import { expect, it } from "vitest";
import { plainNotice } from "./plainNotice.ts";

it("leaves out the marks of headings, tables and line breaks", () => {
  const markdown =
    "## INVITATION TO BID\n\n3\\. Late bids are rejected.\\\n4\\. Fee\n\n|  |  |\n| --- | --- |\n| No. 1 | Chairs |";
  expect(plainNotice(markdown)).toBe(
    "INVITATION TO BID\n\n3. Late bids are rejected.\n4. Fee\n\nNo. 1 · Chairs",
  );
});
