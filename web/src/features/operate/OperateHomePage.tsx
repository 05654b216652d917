// The start page for administrators and reviewers: it opens the first page that the user may open.

import { Navigate } from "react-router";
import { paths } from "@/shared/paths.ts";
import { Protected } from "@/shared/session/Protected.tsx";
import { firstOperatePage, STAFF } from "./OperatePage.tsx";

export function Component() {
  return (
    <Protected only={STAFF}>
      {({ role }) => <Navigate to={firstOperatePage(role) ?? paths.home} replace />}
    </Protected>
  );
}
