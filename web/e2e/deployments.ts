// Two successive deployments of the app at one address. The second deployment removes the scripts
// of the first. API calls go to the portal.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { address } from "./portal.ts";

const dist = path.resolve(import.meta.dirname, "../dist");

/** In the second deployment, the names of all scripts with a hash end with this text. */
export const SECOND_SUFFIX = "2nd.js";

const CONTENT_TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/**
 * The name of a script. The eight characters before `.js` are the content hash, which differs
 * between builds.
 */
const SCRIPT_NAME = /(?:\/assets\/)?[\w.-]+-[\w-]{8}\.js/g;

/** Turns the text of a file into its text in the second deployment. */
function toSecondDeployment(text: string): string {
  const names = text.replace(SCRIPT_NAME, (name) => name.replace(/...\.js$/, SECOND_SUFFIX));
  // The service worker of the second deployment has another version.
  return names.replace(/shell [0-9a-f]{16}/, "shell 5ec0nd5ec0nd5ec0");
}

/** The first deployment's name for a file of the second; `null` if the second lacks the file. */
function nameInFirstDeployment(file: string): string | null {
  if (!file.endsWith(SECOND_SUFFIX)) return toSecondDeployment(file) === file ? file : null;
  const worker = readFileSync(path.join(dist, "sw.js"), "utf8");
  return (
    [...worker.matchAll(SCRIPT_NAME)]
      .map(([name]) => name)
      .find((name) => toSecondDeployment(name) === file) ?? null
  );
}

export class Deployments {
  #isSecond = false;
  readonly #server = createServer((request, response) => void this.#answer(request.url ?? "/", response));

  /** Serves the first deployment and returns its address, which the second one keeps. */
  async start(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  deploySecond(): void {
    this.#isSecond = true;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(url, address);
    if (pathname.startsWith("/api/")) {
      const answer = await fetch(address + pathname + search);
      const type = answer.headers.get("content-type") ?? "";
      response.writeHead(answer.status, { "content-type": type, "cache-control": "no-store" });
      if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
      else response.end();
      return;
    }
    const file = path.extname(pathname) === "" ? "/index.html" : pathname;
    const found = this.#read(file);
    response.writeHead(found ? 200 : 404, {
      "content-type": CONTENT_TYPES[path.extname(file)] ?? "application/octet-stream",
      "cache-control": file.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(found);
  }

  #read(file: string): Buffer | string | null {
    const name = this.#isSecond ? nameInFirstDeployment(file) : file;
    if (!name) return null;
    try {
      const bytes = readFileSync(path.join(dist, name));
      const isText = path.extname(name) in CONTENT_TYPES;
      return this.#isSecond && isText ? toSecondDeployment(bytes.toString()) : bytes;
    } catch {
      return null;
    }
  }
}
