// Starts the app: language, query client, router, and later the offline support.

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { afterFirstPage } from "@/app/afterFirstPage.ts";
import { CrashBoundary } from "@/app/CrashScreen.tsx";
import { keepScroll } from "@/app/keepScroll.ts";
import { createQueryClient } from "@/app/queryClient.ts";
import { router } from "@/app/router.tsx";
import { startLanguage } from "@/i18n/i18n.ts";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root to render into.");

const client = createQueryClient();

function start(root: HTMLElement): void {
  // Removes the server's metadata. From now on, each page sets its own metadata.
  for (const element of document.head.querySelectorAll("[data-first]")) element.remove();
  keepScroll();
  // A transition lets a slow device handle input while the app renders.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <CrashBoundary>
          <QueryClientProvider client={client}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </CrashBoundary>
      </StrictMode>,
    ),
  );
}

// Renders once the language has loaded, has failed to load, or takes too long.
void startLanguage().then(() => start(root));

// Offline support starts later, because the first page does not need it.
afterFirstPage()
  .then(() => import("@/features/offline/startOffline.ts"))
  .then(({ startOffline }) => startOffline(client))
  .catch((error: unknown) => console.warn("The app can't be used offline.", error));
