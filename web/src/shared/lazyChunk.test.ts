import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChunkLoadError, loadChunk } from "./lazyChunk.ts";

const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

/** What the server's page is; `null`: it cannot be reached. */
let page: string | null;
const went = vi.fn();

beforeEach(() => {
  vi.stubEnv("PROD", true);
  window.sessionStorage.clear();
  went.mockClear();
  vi.stubGlobal("location", { href: "https://portal.test/", reload: went, assign: went });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    if (page === null) throw new TypeError("Failed to fetch");
    return new Response(page);
  });
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const itself = new URL(import.meta.url).pathname.replace(".test.ts", ".ts");
const running = () => `<script src="${itself}">`;
const another = '<script src="/assets/index-new.js">';

it("gives what was loaded", async () => {
  expect(await loadChunk(async () => "part")).toBe("part");
});

it("says that a part is missing where there is no network, or no newer deployment", async () => {
  for (const found of [null, running()]) {
    page = found;
    await expect(loadChunk(gone)).rejects.toBeInstanceOf(ChunkLoadError);
  }
  expect(went).not.toHaveBeenCalled();
});

it("loads the page anew where the deployment is another one, at the address ahead, and once only", async () => {
  page = another;
  void loadChunk(gone, () => "/tenders");
  await vi.waitFor(() => expect(went).toHaveBeenCalledWith("/tenders"));
  await expect(loadChunk(gone)).rejects.toBeInstanceOf(ChunkLoadError);
  expect(went).toHaveBeenCalledOnce();
});

it("reloads where the address stays", async () => {
  page = another;
  void loadChunk(gone);
  await vi.waitFor(() => expect(went).toHaveBeenCalledWith());
});
