import { expect, it, vi } from "vitest";
import { upload } from "./upload.ts";

/** A request that ends with the event `end`. */
class Sending {
  static end: { status: number; responseText: string } | "cut";
  status = 0;
  responseText = "";
  upload = {};
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  open() {}
  setRequestHeader() {}
  send() {
    if (Sending.end === "cut") return this.onerror?.();
    Object.assign(this, Sending.end);
    this.onload?.();
  }
}

const file = new File(["%PDF"], "plan.pdf");

it.each([
  [
    { status: 413, responseText: '{"success":false,"message":"Too large","requestId":"r-7"}' },
    "413, Too large, request r-7",
  ],
  ["cut", "The connection broke off"],
] as const)("logs a failed upload: %j", async (end, words) => {
  vi.stubGlobal("XMLHttpRequest", Sending);
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  Sending.end = end;
  await expect(upload("/tenders/1/documents", file)).rejects.toThrow();
  expect(warned).toHaveBeenCalledExactlyOnceWith(`The call to /api/tenders/1/documents failed: ${words}`);
  vi.unstubAllGlobals();
});
