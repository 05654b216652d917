// The configuration of Vite and Vitest. Assets are never inlined, because the content security
// policy forbids inlined assets.

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { keepLibrariesExclusive } from "./build/exclusiveLibraries.ts";
import { limitFirstLoad } from "./build/firstLoad.ts";
import { contractVersion, serviceWorker } from "./build/serviceWorker.ts";

/** The address of `api`, to which the development server forwards calls. */
const api = process.env.API_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss(), limitFirstLoad(), keepLibrariesExclusive(), serviceWorker()],
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  define: { CONTRACT: JSON.stringify(contractVersion()) },
  // A browser without `modulepreload` loads the scripts when they are imported.
  build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 450, modulePreload: { polyfill: false } },
  server: { proxy: { "/api": api, "/dev": api } },
  test: {
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: "app",
          environment: "jsdom",
          include: ["src/**/*.test.{ts,tsx}"],
          setupFiles: ["src/testing/setup.ts"],
        },
      },
      { extends: true, test: { name: "build", include: ["{build,worker}/**/*.test.ts"] } },
    ],
  },
});
