// Creates the query client, with the defaults of every query and mutation.

import type { QueryClient } from "@tanstack/react-query";
import { RefreshingQueryClient } from "@/shared/queryClient.ts";
import { MINUTE, retryUpTo, SECOND } from "@/shared/queryDefaults.ts";

export function createQueryClient(): QueryClient {
  return new RefreshingQueryClient({
    defaultOptions: {
      queries: {
        retry: retryUpTo(3),
        staleTime: 30 * SECOND,
        gcTime: 10 * MINUTE,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        // A portal on this machine or in the local network works without the internet.
        networkMode: "always",
      },
      mutations: { retry: retryUpTo(1), networkMode: "always" },
    },
  });
}
