// Builds the service worker together with the app, and passes it the list of the app's files.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, type Plugin, type Rolldown } from "vite";
import { measureFirstLoad } from "./firstLoad.ts";

const web = path.resolve(import.meta.dirname, "..");

function digest(...texts: string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length} ${text}`);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Identifies the contract between app and server. Responses stored under another contract are
 * ignored.
 */
export function contractVersion(): string {
  return digest(readFileSync(path.join(web, "src/api/schema.gen.ts"), "utf8"));
}

/** What the service worker knows about a build. */
export interface BuildFiles {
  /** Differs between builds with different files. */
  version: string;
  /** The files of the first page and of the offline support. The first one is the entry. */
  shell: string[];
  /** All files with a content hash in their name. */
  assets: string[];
}

export function listFiles(bundle: Rolldown.OutputBundle): BuildFiles {
  const outputs = Object.values(bundle);
  const chunks = outputs.filter((output) => output.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error("The build has no entry.");
  // The code that makes the app work offline must be available offline too.
  const offline = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes("/features/offline/")));
  const styles = entry.viteMetadata?.importedCss ?? [];
  const shell = new Set([entry.fileName, ...measureFirstLoad(bundle).keys(), ...styles]);
  for (const { fileName, imports } of offline) for (const file of [fileName, ...imports]) shell.add(file);
  const assets = outputs.map(({ fileName }) => `/${fileName}`).filter((file) => file.startsWith("/assets/"));
  const page = outputs.find(({ fileName }) => fileName === "index.html");
  const html = page?.type === "asset" ? String(page.source) : "";
  return {
    version: digest(html, ...assets.sort()),
    shell: [...shell].map((file) => `/${file}`),
    assets,
  };
}

export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      // Runs after the page has been written.
      order: "post",
      async handler(_, bundle) {
        const { version, shell, assets } = listFiles(bundle);
        const built = await build({
          configFile: false,
          logLevel: "warn",
          publicDir: false,
          define: {
            VERSION: JSON.stringify(version),
            SHELL: JSON.stringify(shell),
            ASSETS: JSON.stringify(assets),
          },
          build: {
            write: false,
            rolldownOptions: {
              input: path.join(web, "worker/worker.ts"),
              output: { format: "iife", entryFileNames: "sw.js" },
            },
          },
        });
        const [worker] = "output" in built ? built.output : [];
        if (worker?.type !== "chunk") this.error("The service worker was not built.");
        else this.emitFile({ type: "asset", fileName: "sw.js", source: worker.code });
      },
    },
  };
}
