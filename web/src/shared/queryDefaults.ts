// The defaults of every query and mutation: specification section 9, "Caching and retry".

import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/error.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** Retries up to `times`, but never what the server refused. */
export function retryUpTo(times: number) {
  return (failures: number, error: Error): boolean =>
    !(error instanceof ApiError && error.isRefusal) && failures < times;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: retryUpTo(3),
        staleTime: 30 * SECOND,
        gcTime: 10 * MINUTE,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        // A portal on this machine or this network answers without the internet.
        networkMode: "always",
      },
      mutations: { retry: retryUpTo(1), networkMode: "always" },
    },
  });
}
