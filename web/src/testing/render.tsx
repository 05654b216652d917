// Renders a component for a test: with queries without retries, a router, and a frozen clock.

import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { ClockContext } from "@/shared/clock.ts";
import { RefreshingQueryClient } from "@/shared/queryClient.ts";

interface RenderOptions {
  /** The address of the page. */
  at?: string;
  /** The current time. */
  now?: string;
}

export function renderAt(
  element: ReactElement,
  { at = "/", now = "2026-11-21T09:00:00+05:30" }: RenderOptions = {},
) {
  const client = new RefreshingQueryClient({
    defaultOptions: { queries: { retry: false }, mutations: { retry: false } },
  });
  const clock = () => Date.parse(now);
  const router = createMemoryRouter([{ path: "*", element }], { initialEntries: [at] });
  const result = render(
    <ClockContext value={clock}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ClockContext>,
  );
  return { ...result, router, client };
}

/** An access token that expires at `seconds` since 1970. */
export function tokenUntil(seconds: number, name = "reader"): string {
  const part = (value: object) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  };
  return `${part({ alg: "none" })}.${part({ exp: seconds, sub: name })}.signature`;
}
