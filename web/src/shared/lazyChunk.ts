// Loads chunks on demand. A new deployment removes the chunks of the previous one; the page is then
// reloaded once.

/** A chunk that could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
}

const RELOADED_FOR = "loaded-anew-for";

/** The running entry file, as the page's HTML names it. */
const running = new URL(import.meta.url).pathname;

/** Whether the server has another deployment than the running one. */
async function isOutdated(): Promise<boolean> {
  if (!import.meta.env.PROD) return false;
  try {
    const page = await fetch("/index.html", { cache: "no-store" });
    return page.ok && !(await page.text()).includes(running);
  } catch {
    return false;
  }
}

/** Reloads the page at `address`, unless it was already reloaded for this deployment. */
function reloadPage(address: string): boolean {
  try {
    if (window.sessionStorage.getItem(RELOADED_FOR) === running) return false;
    window.sessionStorage.setItem(RELOADED_FOR, running);
  } catch {
    // Without storage the page could reload forever.
    return false;
  }
  if (new URL(address, window.location.href).href === window.location.href) window.location.reload();
  else window.location.assign(address);
  return true;
}

/** Returns the result of `load`. If the page is reloaded instead, it opens at `address`. */
export async function loadChunk<Chunk>(
  load: () => Promise<Chunk>,
  address = () => window.location.href,
): Promise<Chunk> {
  try {
    return await load();
  } catch (cause) {
    // The page is about to be replaced.
    if ((await isOutdated()) && reloadPage(address())) return new Promise(() => {});
    throw new ChunkLoadError("A part of the app could not be loaded.", { cause });
  }
}
