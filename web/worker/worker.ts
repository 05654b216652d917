// The service worker. It caches the page and the first files as one version, and other chunks and
// clips as they are loaded. Pages come from the network first, so that a new deployment shows at
// once. Files with a content hash are requested only once. A new worker waits until the old pages
// are closed, and then removes their files.

import { APP_FILES, addressKind, requestKind } from "./kinds.ts";
import { CLIPS_CACHE, type Message, readMessage } from "./messages.ts";

declare const self: ServiceWorkerGlobalScope;

// The build sets these constants.
/** Differs between builds with different files. */
declare const VERSION: string;
/** The files of the first page and of the offline support. The first one is the entry. */
declare const SHELL: string[];
/** All files with a content hash in their name. */
declare const ASSETS: string[];

const PAGE = "/index.html";
const shellCache = `shell ${VERSION}`;
const assetsCache = "assets";

/** The maximum number of cached clips. The oldest clips are removed. */
const MAX_CLIPS = 100;
/** If the network takes longer than this, in milliseconds, the cached page is served. */
const PAGE_TIMEOUT_MS = 4000;
/** The status codes of a gateway whose portal does not respond. */
const GATEWAY_ERRORS = [502, 503, 504];

/** Counts the changes of visitor, so that a clip in transit is not cached for the next visitor. */
let visitorChanges = 0;

async function install(): Promise<void> {
  const page = await fetch(PAGE, { cache: "reload" });
  const html = await page.clone().text();
  // If a deployment happened in between, the page belongs to another version, whose own worker will
  // follow.
  if (!page.ok || !html.includes(SHELL[0] ?? PAGE)) throw new Error("The page belongs to another version.");
  const cache = await caches.open(shellCache);
  await cache.addAll([...SHELL, ...APP_FILES.map((file) => new Request(file, { cache: "reload" }))]);
  await cache.put(PAGE, page);
}

async function activate(): Promise<void> {
  await self.registration.navigationPreload?.enable();
  for (const name of await caches.keys()) {
    if (name.startsWith("shell ") && name !== shellCache) await caches.delete(name);
  }
  const cache = await caches.open(assetsCache);
  const current = new Set(ASSETS);
  for (const request of await cache.keys()) {
    if (!current.has(new URL(request.url).pathname)) await cache.delete(request);
  }
  await self.clients.claim();
}

async function servePage(event: FetchEvent): Promise<Response> {
  const network = (async () =>
    ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request))();
  const cached = await caches.match(PAGE, { cacheName: shellCache });
  if (!cached) return network;
  const timeout = new Promise<Response>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS, cached));
  const networkOrCached = network.then(
    (response) => (GATEWAY_ERRORS.includes(response.status) ? cached : response),
    () => cached,
  );
  return Promise.race([networkOrCached, timeout]);
}

/** The cached file, else the file from the network, which `store` then caches. */
async function cacheFirst(
  event: ExtendableEvent,
  request: Request,
  store: (request: Request, response: Response) => Promise<void>,
): Promise<Response> {
  // Responses may vary by encoding, but their content is the same.
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) {
    // A full cache stores nothing; the page still gets its response.
    event.waitUntil(store(request, response.clone()).catch(() => undefined));
  }
  return response;
}

function serveAsset(event: ExtendableEvent, request: Request): Promise<Response> {
  return cacheFirst(event, request, async (request, response) =>
    (await caches.open(assetsCache)).put(request, response),
  );
}

function serveClip(event: ExtendableEvent, request: Request): Promise<Response> {
  const changesAtStart = visitorChanges;
  return cacheFirst(event, request, async (request, response) => {
    if (changesAtStart !== visitorChanges) return;
    const cache = await caches.open(CLIPS_CACHE);
    await cache.put(request, response);
    // The cache lists the oldest clips first.
    const requests = await cache.keys();
    await Promise.all(requests.slice(0, -MAX_CLIPS).map((oldest) => cache.delete(oldest)));
  });
}

async function networkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(request, { cacheName: shellCache, ignoreVary: true });
    if (cached) return cached;
    throw error;
  }
}

/**
 * Caches files that the page loaded before the worker was active. The browser's own cache provides
 * them.
 */
async function cacheFiles(event: ExtendableEvent, addresses: string[]): Promise<void> {
  const cacheFile = async (address: string) => {
    if (!URL.canParse(address) || new URL(address).origin !== self.location.origin) return;
    const kind = addressKind(new URL(address));
    const request = new Request(address);
    if (kind === "asset") await serveAsset(event, request);
    if (kind === "clip") await serveClip(event, request);
  };
  // A missing file is requested when it is needed.
  await Promise.allSettled(addresses.map(cacheFile));
}

async function forgetVisitor(): Promise<void> {
  visitorChanges += 1;
  await caches.delete(CLIPS_CACHE);
}

function handleMessage(event: ExtendableEvent, message: Message): Promise<void> {
  switch (message.type) {
    case "claim":
      return self.clients.claim();
    case "keep":
      return cacheFiles(event, message.addresses);
    case "forget":
      return forgetVisitor();
  }
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

self.addEventListener("fetch", (event) => {
  switch (requestKind(event.request, self.location.origin)) {
    case "page":
      return event.respondWith(servePage(event));
    case "asset":
      return event.respondWith(serveAsset(event, event.request));
    case "file":
      return event.respondWith(networkFirst(event.request));
    case "clip":
      return event.respondWith(serveClip(event, event.request));
  }
});

self.addEventListener("message", (event) => {
  const message = readMessage(event.data);
  if (message) event.waitUntil(handleMessage(event, message));
});
