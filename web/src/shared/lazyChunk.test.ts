import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError, loadChunk } from "./lazyChunk.ts";

const failToImport = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

/** The HTML of the server; `null` if the server is unreachable. */
let page: string | null;
const navigated = vi.fn();

beforeEach(() => {
  vi.stubEnv("PROD", true);
  window.sessionStorage.clear();
  navigated.mockClear();
  vi.stubGlobal("location", { href: "https://portal.test/", reload: navigated, assign: navigated });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    if (page === null) throw new TypeError("Failed to fetch");
    return new Response(page);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const runningScript = new URL(import.meta.url).pathname.replace(".test.ts", ".ts");
const currentPage = `<script src="${runningScript}">`;
const newerPage = '<script src="/assets/index-new.js">';

it("returns the loaded chunk", async () => {
  expect(await loadChunk(async () => "part")).toBe("part");
});

it("throws if the server is unreachable or has no newer deployment", async () => {
  for (const found of [null, currentPage]) {
    page = found;
    await expect(loadChunk(failToImport)).rejects.toBeInstanceOf(ChunkLoadError);
  }
  expect(navigated).not.toHaveBeenCalled();
});

it("opens the target address once if the server has a newer deployment", async () => {
  page = newerPage;
  void loadChunk(failToImport, () => "/tenders");
  await vi.waitFor(() => expect(navigated).toHaveBeenCalledWith("/tenders"));
  await expect(loadChunk(failToImport)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(navigated).toHaveBeenCalledOnce();
});

it("reloads the page if the address stays the same", async () => {
  page = newerPage;
  void loadChunk(failToImport);
  await vi.waitFor(() => expect(navigated).toHaveBeenCalledWith());
});
