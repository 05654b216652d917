// What waits for the people who work for the portal, and the pages where they do it.

import { queryOptions } from "@tanstack/react-query";
import {
  BookMarked,
  ClipboardCheck,
  CreditCard,
  FileWarning,
  type LucideIcon,
  MailWarning,
  MessageSquare,
  Newspaper,
  UserCheck,
} from "lucide-react";
import { api, call } from "@/api/client.ts";
import type { OperatorTaskName } from "@/api/types.ts";
import { paths } from "@/shared/paths.ts";
import { MINUTE, SECOND } from "@/shared/queryDefaults.ts";

/** The kinds of work. Each has an icon and the page that lists its items. */
export const TASKS: Record<OperatorTaskName, { icon: LucideIcon; path: string }> = {
  review: { icon: ClipboardCheck, path: paths.operateReview },
  gaps: { icon: Newspaper, path: paths.operateCoverage },
  pages: { icon: FileWarning, path: `${paths.operatePages}?state=set-aside` },
  names: { icon: BookMarked, path: paths.operateGazetteer },
  publications: { icon: UserCheck, path: paths.operatePublications },
  messages: { icon: MessageSquare, path: paths.operateMessages },
  mails: { icon: MailWarning, path: paths.operateMail },
  payments: { icon: CreditCard, path: paths.operatePayments },
};

/** How much of each kind of work waits that the user may do. */
export const waitingWork = queryOptions({
  queryKey: ["operate", "tasks"],
  queryFn: async ({ signal }) => (await call(api.GET("/operate/tasks", { signal }))).tasks,
  staleTime: 10 * SECOND,
  refetchInterval: MINUTE,
});
