// A page of plain text: a heading, a lead, and sections.

import type { ReactNode } from "react";
import { Page } from "@/ui/Sheet.tsx";

export function TextPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <Page className="py-10">
      <div className="mx-auto max-w-[44rem]">
        <h1 className="text-3xl font-bold tracking-tight">{title}</h1>
        <p className="mt-3 text-lg text-ink-soft">{lead}</p>
        <div className="mt-8 grid gap-7">{children}</div>
      </div>
    </Page>
  );
}

export function TextSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="mt-1 max-w-[70ch]">{children}</div>
    </section>
  );
}
