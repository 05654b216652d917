// Saves what the first questions make.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { companyProfile, putCompany } from "@/shared/company.ts";
import { needsUpgrade } from "@/shared/plans/upgradeError.ts";
import type { AlertForm } from "../form.ts";
import { toBody } from "../form.ts";
import { type Answers, companyWith, searchesFrom } from "./answers.ts";

/** Saves the first of these searches that the plan permits. */
async function saveSearch(name: string, queries: readonly string[]): Promise<void> {
  for (const [nth, query] of queries.entries()) {
    try {
      await call(api.POST("/saved/searches", { body: { name, query } }));
      return;
    } catch (error) {
      const isLast = nth === queries.length - 1;
      if (isLast || !(error instanceof Error) || !needsUpgrade(error)) throw error;
    }
  }
}

export interface FirstRun {
  answers: Answers;
  alert: AlertForm;
  /** Whether the plan has alerts. Otherwise a search is saved. */
  hasAlerts: boolean;
}

/**
 * Saves the company profile, and the alert or a search. `submission` is the idempotency key of the alert.
 * A repeated attempt does not add to the profile what it has already.
 */
export function useFirstRun(submission: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ answers, alert, hasAlerts }: FirstRun) => {
      if (answers.grades.length > 0 || answers.districts.length > 0) {
        const stored = await client.fetchQuery({ ...companyProfile, staleTime: 0 });
        const company = companyWith(stored.company, answers);
        client.setQueryData(companyProfile.queryKey, await putCompany({ company, version: stored.version }));
      }
      if (!hasAlerts) return saveSearch(alert.name, searchesFrom(answers));
      const header = { "Idempotency-Key": submission };
      await call(api.POST("/alerts", { params: { header }, body: toBody(alert) }));
    },
    retry: false,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["alerts"] }),
        client.invalidateQueries({ queryKey: ["saved", "searches"] }),
        client.invalidateQueries({ queryKey: ["tenders", "details"] }),
      ]),
  });
}
