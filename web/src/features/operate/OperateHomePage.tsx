// The start page for administrators: it opens the list of users.

import { Navigate } from "react-router";
import { paths } from "@/shared/paths.ts";

export function Component() {
  return <Navigate to={paths.operateUsers} replace />;
}
