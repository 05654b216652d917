// A page that shows one sheet of paper, with a way back and a button that prints the sheet.

import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { messageOf } from "@/api/error.ts";
import { Button, ButtonLink } from "@/ui/Button.tsx";
import { Page } from "@/ui/Sheet.tsx";
import { ErrorBanner } from "@/ui/StatusMessages.tsx";

interface PrintablePageProps {
  back: { to: string; label: string };
  printLabel: string;
  loadingLabel: string;
  error: Error | null;
  /** What is shown if the error has no message of its own. */
  failure: string;
  /** The sheet, once it is loaded. */
  children: ReactNode;
}

export function PrintablePage(props: PrintablePageProps) {
  const { back, printLabel, loadingLabel, error, failure, children } = props;
  return (
    <Page className="py-8 print:p-0">
      <div className="mx-auto grid max-w-[46rem] grid-cols-[minmax(0,1fr)] gap-5">
        <div className="flex flex-wrap justify-between gap-3 print:hidden">
          <ButtonLink to={back.to} variant="plain" size="small">
            {back.label}
          </ButtonLink>
          {children && (
            <Button variant="outlined" size="small" onClick={() => window.print()}>
              <Printer size={16} aria-hidden />
              {printLabel}
            </Button>
          )}
        </div>
        {!children && !error && <div role="status" aria-label={loadingLabel} className="skeleton h-96" />}
        {error && <ErrorBanner title={messageOf(error, failure)} />}
        {children}
      </div>
    </Page>
  );
}
