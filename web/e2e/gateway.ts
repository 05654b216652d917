// A gateway in front of the portal. A test can stop the gateway, and can choose calls that get
// another response or none.

import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { address } from "./portal.ts";

/** The response to a call that the gateway does not forward. "silence" is no response at all. */
type Substitute = { status: number; body: string; type?: string } | "silence";

export class Gateway {
  readonly #substitutes = new Map<string, Substitute>();
  readonly #server = createServer((request, response) => this.#serve(request, response));
  #port = 0;

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts to listen. After a stop, the address stays the same. */
  async start(): Promise<void> {
    await once(this.#server.listen(this.#port, "127.0.0.1"), "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Responds to `call`, for example "GET /api/health", with `substitute` from now on. */
  respondWith(call: string, substitute: Substitute): void {
    this.#substitutes.set(call, substitute);
  }

  /** Forwards all calls again. */
  restore(): void {
    this.#substitutes.clear();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "/", address);
    const substitute = this.#substitutes.get(`${request.method} ${pathname}`);
    if (substitute === "silence") return;
    if (substitute) {
      response.writeHead(substitute.status, { "content-type": substitute.type ?? "application/json" });
      response.end(substitute.body);
      return;
    }
    const { method, headers } = request;
    const onward = ask(new URL(request.url ?? "/", address), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  }
}
