// A gateway in front of the portal that a test can stop, silence, or let respond in the portal's
// place.

import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { address } from "./portal.ts";

/** How the gateway treats a call that it does not forward. */
type Instead = { status: number; body: string; type?: string } | "silence";

export class Gateway {
  readonly #instead = new Map<string, Instead>();
  readonly #server = createServer((request, response) => this.#serve(request, response));
  #port = 0;

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, always at the same address. */
  async start(): Promise<void> {
    await once(this.#server.listen(this.#port, "127.0.0.1"), "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Uses `instead` for calls such as "GET /api/health". */
  answer(call: string, instead: Instead): void {
    this.#instead.set(call, instead);
  }

  /** Forwards all calls again. */
  restore(): void {
    this.#instead.clear();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? "/", address);
    const instead = this.#instead.get(`${request.method} ${pathname}`);
    if (instead === "silence") return;
    if (instead) {
      response.writeHead(instead.status, { "content-type": instead.type ?? "application/json" });
      response.end(instead.body);
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
