// How newspaper pages are named on the screen.

import type { NewspaperPage } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatDay } from "@/shared/format/dates.ts";

/** The name of a page: its file, and its number if the file has several pages. */
export function usePageName({ fileName, number, pageCount }: NewspaperPage): string {
  const { t } = useTranslation();
  const isOnly = pageCount === 1 || (pageCount === null && number === 1);
  return isOnly
    ? fileName
    : t("operate.pages.pageOfFile", { file: fileName, number, pages: pageCount ?? "?" });
}

/** The parameters that name the file of a page as a batch of notices. */
export const fileBatch = ({ fileId }: NewspaperPage) => new URLSearchParams({ file: fileId });

/** The parameters that name the issue of a page as a batch of notices. */
export const issueBatch = ({ publication, date }: NewspaperPage) =>
  new URLSearchParams({ publication, date: date ?? "" });

/** The newspaper and the issue date, as far as they are known. */
export const issueOf = ({ publication, date }: NewspaperPage) =>
  [publication, date && formatDay(date)].filter(Boolean).join(", ");
