// Every page under its address. All but Home are loaded when they are first visited, with their words.

import { createBrowserRouter, type RouteObject } from "react-router";
import { Component as HomePage } from "@/features/home/HomePage.tsx";
import { loadPages } from "@/i18n/i18n.ts";
import { loadChunk } from "@/shared/lazyChunk.ts";
import { paths } from "@/shared/paths.ts";
import { RouteCrash } from "./CrashScreen.tsx";
import { pages } from "./pages.ts";
import { Shell } from "./Shell.tsx";

/** Where the reader is going. */
function targetAddress(): string {
  const { navigation, location } = router.state;
  return router.createHref(navigation.location ?? location);
}

/** A page of its own chunk, shown when its words are there too. */
function withTexts<Module extends object>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await loadChunk(() => Promise.all([load(), loadPages()]), targetAddress);
    return module;
  };
}

const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteCrash />,
    // The server sends an empty page; nothing needs to stand in for it.
    hydrateFallbackElement: <></>,
    children: [
      // Home comes with the shell: most visits begin there, and signing out relies on being there at once.
      { path: paths.home, Component: HomePage },
      ...pages.map(({ path, load }) => ({ path, lazy: withTexts(load) })),
    ],
  },
];

export const router = createBrowserRouter(routes);
