// The column of a page, and the card for forms.

import type { ReactNode } from "react";

/** The centred column for the content of a page. `lang` is the language of an untranslated page. */
export function Page({
  children,
  className = "",
  wide = false,
  lang,
}: {
  children: ReactNode;
  className?: string;
  /** Whether the column is wide enough for a clip beside a form. */
  wide?: boolean;
  lang?: string;
}) {
  return (
    <div
      lang={lang}
      className={`mx-auto w-full ${wide ? "max-w-[110rem]" : "max-w-[76rem]"} px-4 sm:px-6 ${className}`}
    >
      {children}
    </div>
  );
}

/** A narrow card with a heading, for forms and messages. */
export function Sheet({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle?: string;
  children: ReactNode;
}) {
  return (
    <Page className="py-8 sm:py-14">
      <section className="mx-auto max-w-[30rem] rounded-2xl border border-line bg-sheet px-5 py-7 shadow-sheet sm:px-9 sm:py-9">
        <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
        {subtitle && <p className="mt-1 text-ink-soft">{subtitle}</p>}
        <div className="mt-6">{children}</div>
      </section>
    </Page>
  );
}
