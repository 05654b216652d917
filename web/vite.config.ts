// How the web app is built and developed. Assets are never inlined, so that a strict content security policy holds.

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The `api` that the development server forwards to. */
const api = process.env.API_URL ?? "http://127.0.0.1:8080";

/**
 * The toasts' package writes its styles into the page by script, which a strict policy forbids. `main.tsx` imports the same
 * styles as a file; here the script's own writing is taken out.
 */
const toastStylesAsFile: Plugin = {
  name: "toast-styles-as-file",
  transform(code, id) {
    if (!/\/sonner\/dist\/index\.mjs/.test(id)) return null;
    const begin = "function __insertCSS(code) {";
    if (!code.includes(begin)) this.error("sonner no longer has the function that writes its styles");
    return { code: code.replace(begin, `${begin} return;`), map: null };
  },
};

export default defineConfig({
  plugins: [toastStylesAsFile, react(), tailwindcss()],
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  server: { proxy: { "/api": api, "/dev": api } },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
  },
});
