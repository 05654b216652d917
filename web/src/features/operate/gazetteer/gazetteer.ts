// The API calls of the gazetteer page.

import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import type { GazetteerName, GazetteerNameForm, NameState } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { SECOND } from "@/shared/queryDefaults.ts";
import { toast } from "@/ui/toasts.ts";

export const NAME_STATES = ["proposed", "confirmed", "refused"] as const satisfies readonly NameState[];

export interface NameFilters {
  state: NameState;
  search?: string;
}

/** The names in a state, in alphabetical order. */
export function nameList(filters: NameFilters) {
  return infiniteQueryOptions({
    queryKey: ["operate", "gazetteer", filters],
    queryFn: ({ pageParam: after, signal }) =>
      call(
        api.GET("/operate/gazetteer", {
          params: { query: { ...filters, ...(after && { after }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 10 * SECOND,
  });
}

/** Adds a name, or changes it and decides about it. A toast shows the result. */
export function useSaveName() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, state, form }: { id?: string; state: NameState; form: GazetteerNameForm }) => {
      if (id)
        await call(
          api.PUT("/operate/gazetteer/{id}", { params: { path: { id } }, body: { ...form, state } }),
        );
      else await call(api.POST("/operate/gazetteer", { body: form }));
    },
    onSuccess: (_, { state }) => {
      toast.success(t(`operate.gazetteer.done.${state}`));
      return client.invalidateQueries({ queryKey: ["operate"] });
    },
    onError: (error) => toast.error(messageOf(error, t("operate.users.actionFailed"))),
  });
}

/** The form of a stored name. */
export const formOf = ({ name, spellings, thing }: GazetteerName): GazetteerNameForm => ({
  name,
  spellings,
  thing,
});
