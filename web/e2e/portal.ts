// The portal under test: its address, how it starts and stops, and how notices are published to it.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { CLIENT_ID, publishKey } from "./google.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");

async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The addresses of empty databases, one for each portal. Each worker has a portal of its own. */
const databases = (process.env.E2E_DATABASES ?? process.env.DATABASE_URL ?? "").split(" ").filter(Boolean);

/** How many portals the tests start. */
export const portalCount = Math.max(1, databases.length);

/** The portals' ports. The runner chooses them, and its workers read them from the environment. */
const ports: number[] = [];
for (const given of (process.env.E2E_PORTS ?? "").split(" ").filter(Boolean)) ports.push(Number(given));
while (ports.length < portalCount) ports.push(await findFreePort());
process.env.E2E_PORTS = ports.join(" ");

/** The folder of the portals' logs. The runner chooses it, and its workers read the logs. */
const logs = process.env.E2E_LOGS ?? path.join(tmpdir(), `serendib-e2e-logs-${process.pid}`);
process.env.E2E_LOGS = logs;

/** The number of this worker's portal. */
const ownPortal = Number(process.env.TEST_PARALLEL_INDEX ?? 0);

function addressOf(portal: number): string {
  return `http://127.0.0.1:${ports[portal]}`;
}

/** The address of a running portal with notices. If it is set, the tests start no portal. */
export const runningPortal = process.env.E2E_URL;

/** The address of this worker's portal. */
export const address = runningPortal ?? addressOf(ownPortal);

/** Removes the logs of all portals, after the last one has stopped. */
export function removeLogs(): void {
  rmSync(logs, { recursive: true, force: true });
}

function logOf(port: number | undefined): string {
  return path.join(logs, `${port}.log`);
}

/** Returns the log of this worker's portal. It is empty if the tests did not start the portal. */
export function readLog(): string {
  const file = logOf(ports[ownPortal]);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The password of all demo accounts. The tests also use it for accounts that they register. */
export const PASSWORD = "demo-portal";

function findProgram(variable: string, name: string): string {
  const file = process.env[variable] ?? path.join(root, "target/debug", name);
  if (existsSync(file)) return file;
  throw new Error(
    `There is no ${name} at ${file}. Build it with: cargo build -p ${name}, or set ${variable}.`,
  );
}

/** The programs and data of a portal. */
interface PortalResources {
  /** The path of the program `api`. */
  api: string;
  /** The path of the program `ingest`. */
  ingest: string;
  /** The address of a database that only the tests use, because they publish into it. */
  database: string;
  /** A folder of notices, as Markdown and clips. */
  notices: string;
}

function findResources(portal: number): PortalResources {
  const database = databases[portal];
  if (!database) {
    throw new Error("DATABASE_URL is not set. It names an empty Postgres database for the browser tests.");
  }
  if (!existsSync(path.join(root, "web/dist/index.html"))) {
    throw new Error("The web app has not been built. Build it with: npm run build");
  }
  return {
    api: findProgram("API_BIN", "api"),
    ingest: findProgram("INGEST_BIN", "ingest"),
    database,
    notices: process.env.E2E_NOTICES ?? path.join(root, "fixtures/notices"),
  };
}

/** Calls `ready` until it returns true. After a minute, throws an error with the `failure` text. */
async function waitUntil(ready: () => Promise<boolean>, failure: () => string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (await ready()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(failure());
}

async function isResponding(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/health`);
    return response.ok;
  } catch {
    return false;
  }
}

/** Creates an operator's token for a portal, by default for publishing to this worker's portal. */
export async function createOperatorToken(portal = ownPortal, ...scopes: string[]): Promise<string> {
  const { api, database } = findResources(portal);
  const env = { ...process.env, DATABASE_URL: database };
  const name = `e2e-${crypto.randomUUID()}`;
  const options = (scopes.length > 0 ? scopes : ["publish"]).flatMap((scope) => ["--scope", scope]);
  const made = await run(api, ["admin", "token", "create", name, ...options], { cwd: root, env });
  return made.stdout.trim().split("\n").at(-1)?.trim() ?? "";
}

/** Starts `ingest work` for a portal, by default this worker's portal. Returns how to stop it. */
export async function startPageWorker(portal = ownPortal): Promise<() => Promise<void>> {
  const { ingest } = findResources(portal);
  const env = { ...process.env, INGEST_TOKEN: await createOperatorToken(portal, "publish", "work") };
  const child = spawn(ingest, ["work", "--portal", addressOf(portal), "--name", "e2e"], {
    cwd: root,
    env,
    stdio: "ignore",
  });
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
}

/** A running portal with its own data. */
export class Portal {
  private constructor(
    private readonly child: ChildProcess,
    private readonly number: number,
    private readonly google: Server,
    private readonly data: string,
    private readonly resources: PortalResources,
    private readonly log: () => string,
  ) {}

  /**
   * Starts a second server of this worker's portal, on the same database, with these settings. The
   * address of the portal stays the one of the first server.
   */
  static async startSecond(settings: Record<string, string>): Promise<{ portal: Portal; address: string }> {
    const port = await findFreePort();
    const portal = await Portal.start(ownPortal, port, settings);
    return { portal, address: `http://127.0.0.1:${port}` };
  }

  /** Starts `api serve --demo` on a new data folder and waits until it responds. */
  static async start(
    number: number,
    port = ports[number],
    settings: Record<string, string> = {},
  ): Promise<Portal> {
    const found = findResources(number);
    const address = `http://127.0.0.1:${port}`;
    if (await isResponding(address))
      throw new Error(`Another process already responds at ${address}. Stop it, or set E2E_PORTS.`);
    const data = mkdtempSync(path.join(tmpdir(), "serendib-e2e-"));
    const google = await publishKey();
    mkdirSync(logs, { recursive: true });
    const log = openSync(logOf(port), "a");
    const child = spawn(found.api, ["serve", "--demo", "--migrate"], {
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: found.database,
        DATA: data,
        LISTEN: `127.0.0.1:${port}`,
        WEB: path.join(root, "web/dist"),
        // Immediate mails are sent one second after their last match, at most five after the first.
        COLLECT_QUIET_SECONDS: "1",
        COLLECT_LIMIT_SECONDS: "5",
        // The tests sign in more often than a user does.
        SIGN_INS_A_MINUTE: "600",
        // All tests of a portal come from one address, many of them at the same time.
        RATE_LIMIT_FACTOR: "100",
        GUEST_DETAILS_A_DAY: "10000",
        // A notice that nothing doubts must not come into the queue of a test.
        REVIEW_SAMPLE: "0",
        // Webhooks may call the tests' own servers.
        WEBHOOKS_TO_PRIVATE: "true",
        GOOGLE_CLIENT_ID: CLIENT_ID,
        GOOGLE_KEYS_URL: google.url,
        ...settings,
      },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const output = () => readFileSync(logOf(port), "utf8").slice(-20_000);
    const portal = new Portal(child, number, google.server, data, found, output);
    try {
      await waitUntil(
        () => {
          if (child.exitCode !== null)
            throw new Error(`The portal ended with ${child.exitCode}:\n${output()}`);
          return isResponding(address);
        },
        () => `The portal does not respond at ${address}:\n${output()}`,
      );
    } catch (error) {
      await portal.stop();
      throw error;
    }
    return portal;
  }

  /** Publishes the notices with `ingest` and a token, as an operator does. */
  async publish(): Promise<void> {
    const { ingest, notices } = this.resources;
    if (!existsSync(notices))
      throw new Error(`There are no notices at ${notices}. Set E2E_NOTICES to a folder of notices.`);
    const env = { ...process.env, INGEST_TOKEN: await createOperatorToken(this.number) };
    try {
      await run(ingest, ["publish", notices, "--publish", addressOf(this.number), "--all"], {
        cwd: root,
        env,
        maxBuffer: 16 * 1024 * 1024,
      });
    } catch (error) {
      throw new Error(`ingest could not publish: ${error}\nOutput of the portal:\n${this.log()}`);
    }
  }

  /** Stops the portal and removes its data. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once("exit", resolve));
      this.child.kill("SIGTERM");
      await ended;
    }
    this.google.close();
    rmSync(this.data, { recursive: true, force: true });
  }
}
