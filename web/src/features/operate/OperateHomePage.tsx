// The start page for administrators and reviewers: it opens the review queue.

import { Navigate } from "react-router";
import { paths } from "@/shared/paths.ts";

export function Component() {
  return <Navigate to={paths.operateReview} replace />;
}
