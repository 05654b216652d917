// Tabs and their panels. One panel is shown at a time.

import { Tab, TabGroup, TabList, TabPanel, TabPanels } from "@headlessui/react";
import type { ReactNode } from "react";

interface TabView {
  label: string;
  /** The number beside the label. */
  count?: number;
  content: ReactNode;
}

export function Tabs({ views }: { views: readonly TabView[] }) {
  return (
    <TabGroup>
      <TabList className="flex gap-1 overflow-x-auto border-b border-line">
        {views.map(({ label, count }) => (
          <Tab
            key={label}
            className="-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 text-left font-semibold sm:shrink-0 sm:text-nowrap max-sm:px-2 -outline-offset-2 text-ink-soft hover:text-ink data-selected:border-accent data-selected:text-accent"
          >
            {label}
            {count !== undefined && (
              <span className="rounded-full bg-well px-2 text-sm text-ink-soft tabular-nums">{count}</span>
            )}
          </Tab>
        ))}
      </TabList>
      <TabPanels className="mt-5">
        {views.map(({ label, content }) => (
          <TabPanel key={label}>{content}</TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  );
}
