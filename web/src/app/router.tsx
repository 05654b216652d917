// The routes. Each page but Home is loaded with its texts when it is first opened.

import { createBrowserRouter, type RouteObject } from "react-router";
import { Component as HomePage } from "@/features/home/HomePage.tsx";
import { loadOperateTexts, loadPageTexts } from "@/i18n/i18n.ts";
import { loadChunk } from "@/shared/lazyChunk.ts";
import { paths } from "@/shared/paths.ts";
import { RouteCrash } from "./CrashScreen.tsx";
import { pages } from "./pages.ts";
import { Shell } from "./Shell.tsx";

/** The address of the navigation in progress, else the current one. */
function targetAddress(): string {
  const { navigation, location } = router.state;
  return router.createHref(navigation.location ?? location);
}

/** Loads a page's chunk together with its texts. */
function withTexts<Module extends object>(path: string, load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const texts = path.startsWith(paths.operate) ? loadOperateTexts() : loadPageTexts();
    const [module] = await loadChunk(() => Promise.all([load(), texts]), targetAddress);
    return module;
  };
}

const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteCrash />,
    // The server prerenders the page, so no fallback is needed.
    hydrateFallbackElement: <></>,
    children: [
      // Home is part of the first bundle, because most visits start there and signing out needs
      // it at once.
      { path: paths.home, Component: HomePage },
      ...pages.map(({ path, load }) => ({ path, lazy: withTexts(path, load) })),
    ],
  },
];

export const router = createBrowserRouter(routes);
