import { useMutation } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";

export interface ContactMessage {
  name: string;
  email: string;
  message: string;
}

/** Sends a message to the operator of the portal. Never retried. */
export function useSendMessage() {
  return useMutation({
    mutationFn: (body: ContactMessage) => call(api.POST("/contact", { body })),
    retry: false,
  });
}
