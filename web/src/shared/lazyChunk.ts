// Parts of the app that are loaded when they are needed. A deployment takes the files of the one before it away; then the
// page is loaded anew instead, once.

/** A part could not be had. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
}

const RELOADED_FOR = "loaded-anew-for";

/** The file that this page runs, as its HTML names it. */
const running = new URL(import.meta.url).pathname;

/** Whether the server has another deployment than the one this page runs. */
async function isOutdated(): Promise<boolean> {
  if (!import.meta.env.PROD) return false;
  try {
    const page = await fetch("/index.html", { cache: "no-store" });
    return page.ok && !(await page.text()).includes(running);
  } catch {
    return false;
  }
}

/** Loads the page anew at `address`, unless that was tried for this deployment before. */
function reloadPage(address: string): boolean {
  try {
    if (window.sessionStorage.getItem(RELOADED_FOR) === running) return false;
    window.sessionStorage.setItem(RELOADED_FOR, running);
  } catch {
    // Where nothing is remembered, nothing holds it back from trying for ever.
    return false;
  }
  if (new URL(address, window.location.href).href === window.location.href) window.location.reload();
  else window.location.assign(address);
  return true;
}

/** What `load` loads; `address` is where the reader will be with it. */
export async function loadChunk<Chunk>(
  load: () => Promise<Chunk>,
  address = () => window.location.href,
): Promise<Chunk> {
  try {
    return await load();
  } catch (cause) {
    // The page goes: nothing needs to come of this any more.
    if ((await isOutdated()) && reloadPage(address())) return new Promise(() => {});
    throw new ChunkLoadError("A part of the app could not be loaded.", { cause });
  }
}
