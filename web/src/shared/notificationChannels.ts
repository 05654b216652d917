// The user's channels for alerts besides e-mail: a telephone and a webhook.

import { queryOptions } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";

/** How often the channels are requested while a webhook call is in progress, in milliseconds. */
const POLL_INTERVAL_MS = 2000;

export const notificationChannels = queryOptions({
  queryKey: ["me", "channels"],
  queryFn: ({ signal }) => call(api.GET("/channels", { signal })),
  refetchInterval: ({ state }) => {
    const latest = state.data?.webhook?.calls[0];
    return latest?.state === "waiting" && !latest.error ? POLL_INTERVAL_MS : false;
  },
});
