import { expect, it } from "vitest";
import { webAddress } from "./webAddress.ts";

it.each(["/api/clips/abc", "https://paper.example/a.pdf", "http://paper.example"])(
  "accepts %s",
  (address) => {
    expect(webAddress(address)).toBe(address);
  },
);

it.each([null, undefined, "", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://["])(
  "rejects %j",
  (address) => expect(webAddress(address)).toBeNull(),
);
