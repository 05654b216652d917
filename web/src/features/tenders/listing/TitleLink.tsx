// A tender's title in a list, as a link to its page. Visited links have another colour.

import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/shared/paths.ts";

export function TitleLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to={paths.tender(id)}
      className="visited:text-visited hover:text-accent hover:underline hover:visited:text-visited"
    >
      {children}
    </Link>
  );
}
