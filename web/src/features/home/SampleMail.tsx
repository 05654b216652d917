// What an alert's mail looks like, for a tender that the portal has. It follows the template of the
// mails, `api/templates/mail/digest.mjml`, and has the colours of the page.

import type { HighlightedTender } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { displayTitle } from "@/shared/tender/displayTitle.ts";
import { nearPlace } from "@/shared/tender/nearPlace.ts";

/** The longest word of a title, as the keyword of the example. */
function keywordOf(title: string): string {
  const words = title.match(/[\p{L}\p{M}]+/gu) ?? [title];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

export function SampleMail({ tender }: { tender: HighlightedTender }) {
  const { t } = useTranslation();
  const title = displayTitle(tender.title);
  const keyword = keywordOf(title);
  const [before = "", ...after] = title.split(keyword);
  const place = nearPlace(tender.location, t).join(", ");
  const language = tender.language ?? undefined;
  return (
    <figure className="rounded-xl border border-line bg-well p-5 text-[0.9375rem] shadow-sheet sm:p-6">
      <figcaption className="mb-3 text-[0.8125rem] text-ink-soft">{t("home.mail.label")}</figcaption>
      <p className="text-[1.0625rem] font-bold text-accent">{t("shell.name")}</p>
      <p className="mt-3">{t("home.mail.intro", { alert: keyword })}</p>
      <div className="mt-4 rounded-md border border-line bg-sheet p-4 sm:p-5">
        <p lang={language} className="text-[1.0625rem] font-bold break-words text-accent">
          {title}
        </p>
        <p className="mt-1 break-words">
          <span lang={language}>{displayTitle(tender.organization)}</span>
          {place && ` · ${place}`}
        </p>
        {tender.closing && (
          <p className="font-bold">{t("home.mail.closes", { moment: formatMoment(tender.closing) })}</p>
        )}
        <p className="mt-3">
          <span className="inline-block rounded bg-accent px-5 py-2.5 text-on-accent">
            {t("home.mail.view")}
          </span>
        </p>
        <p className="mt-3 text-[0.8125rem] break-words text-ink-soft">
          {t("home.mail.why", { alert: keyword, keyword })}
          <br />
          <span lang={language}>
            “{before}
            <mark className="bg-soon-wash text-ink">{keyword}</mark>
            {after.join(keyword)}”
          </span>
        </p>
      </div>
      <p className="mt-4 text-[0.8125rem] text-ink-soft">
        {t("home.mail.times")}
        <br />
        {t("home.mail.stop")}
      </p>
    </figure>
  );
}
