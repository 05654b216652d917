// The links to the lists of a page. Each list has its own address.

import { NavLink } from "react-router";

const viewStyle =
  "inline-flex min-h-11 items-center rounded-lg px-4 font-semibold text-ink-soft hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:text-accent";

export function Views({ label, views }: { label: string; views: readonly (readonly [string, string])[] }) {
  return (
    <nav aria-label={label} className="mt-3 mb-5 flex flex-wrap gap-2">
      {views.map(([path, name]) => (
        <NavLink key={path} end to={path} className={viewStyle}>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
