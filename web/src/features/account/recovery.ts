// The calls around mailed links and passwords.

import { useMutation } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";

/** Asks for a link that sets another password. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => call(api.POST("/auth/forgot-password", { body: { email } })),
  });
}

/** Sets another password by a mailed link. Never sent twice: the link is good once. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      call(api.PUT("/auth/reset-password", { body })),
    retry: false,
  });
}

/** Confirms an address by a mailed link. Never sent twice. */
export function useVerifyEmail() {
  return useMutation({
    mutationFn: (token: string) => call(api.POST("/auth/verify-email", { body: { token } })),
    retry: false,
  });
}
