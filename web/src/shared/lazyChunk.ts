// Loads chunks on demand. A new deployment removes the chunks of the previous one. If a chunk can't
// be loaded for this reason, the page is reloaded once.

/** A chunk that could not be loaded. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
}

const RELOADED_FOR_KEY = "loaded-anew-for";

/** The path of the running script, which the page's HTML contains. */
const runningScript = new URL(import.meta.url).pathname;

/** Whether the server has another deployment than the running one. */
async function isOutdated(): Promise<boolean> {
  if (!import.meta.env.PROD) return false;
  try {
    const page = await fetch("/index.html", { cache: "no-store" });
    return page.ok && !(await page.text()).includes(runningScript);
  } catch {
    return false;
  }
}

/**
 * Opens `address` in the new deployment, unless the running deployment already did so once. Returns
 * whether the address is opened.
 */
function reloadPage(address: string): boolean {
  try {
    if (window.sessionStorage.getItem(RELOADED_FOR_KEY) === runningScript) return false;
    window.sessionStorage.setItem(RELOADED_FOR_KEY, runningScript);
  } catch {
    // Without storage the page could reload forever.
    return false;
  }
  if (new URL(address, window.location.href).href === window.location.href) window.location.reload();
  else window.location.assign(address);
  return true;
}

/**
 * Returns the result of `load`. If `load` fails because of a new deployment, opens `address` once.
 * Any other failure throws a [`ChunkLoadError`].
 */
export async function loadChunk<Chunk>(
  load: () => Promise<Chunk>,
  address = () => window.location.href,
): Promise<Chunk> {
  try {
    return await load();
  } catch (cause) {
    // The promise stays pending, because the page is about to be replaced.
    if ((await isOutdated()) && reloadPage(address())) return new Promise(() => {});
    throw new ChunkLoadError("A part of the app could not be loaded.", { cause });
  }
}
