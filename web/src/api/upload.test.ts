import { expect, it, vi } from "vitest";
import { upload } from "./upload.ts";

/** A stand-in for `XMLHttpRequest` that receives the response `end`, or fails if `end` is "cut". */
class FakeRequest {
  static end: { status: number; responseText: string } | "cut";
  status = 0;
  responseText = "";
  upload = {};
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  open() {}
  setRequestHeader() {}
  send() {
    if (FakeRequest.end === "cut") return this.onerror?.();
    Object.assign(this, FakeRequest.end);
    this.onload?.();
  }
}

const file = new File(["%PDF"], "plan.pdf");

it.each([
  [
    { status: 413, responseText: '{"success":false,"message":"Too large","requestId":"r-7"}' },
    "413, Too large, request r-7",
  ],
  ["cut", "The connection was lost"],
] as const)("logs a failed upload: %j", async (end, failure) => {
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  FakeRequest.end = end;
  await expect(upload("/tenders/1/documents", file)).rejects.toThrow();
  expect(warned).toHaveBeenCalledExactlyOnceWith(`The call to /api/tenders/1/documents failed: ${failure}`);
  vi.unstubAllGlobals();
});
