// Repeats each failure in a few lines after all other output, because a log is often cut to its end.

import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const MAX_ERROR_CHARS = 500;
const MAX_LINE_CHARS = 200;
/** How many lines are repeated of what a test printed, like the portal's log. */
const PRINTED_LINES = 3;

function summaryOf(test: TestCase, { errors, stdout }: TestResult): string {
  const message = stripVTControlCharacters(errors.map(({ message }) => message).join(" ")).replaceAll(
    /\s+/g,
    " ",
  );
  const printed = stdout.join("").trim().split("\n").slice(-PRINTED_LINES);
  return [
    `FAILED ${path.basename(test.location.file)}:${test.location.line} ${test.title}`,
    `  ${message.slice(0, MAX_ERROR_CHARS)}`,
    ...printed.filter(Boolean).map((line) => `  > ${line.slice(0, MAX_LINE_CHARS)}`),
  ].join("\n");
}

export default class SummaryReporter implements Reporter {
  private readonly summaries: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status !== test.expectedStatus && result.status !== "interrupted") {
      this.summaries.push(summaryOf(test, result));
    }
  }

  onEnd(): void {
    if (this.summaries.length > 0) console.log(this.summaries.join("\n"));
  }

  printsToStdio(): boolean {
    return false;
  }
}
