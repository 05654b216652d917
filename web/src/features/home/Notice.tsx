// One of the newest newspaper notices: its clip, and the words that were read from it.

import { Newspaper } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { ShownNotice } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { webAddress } from "@/shared/clip/webAddress.ts";
import { formatDay, formatMoment } from "@/shared/format/dates.ts";
import { paths } from "@/shared/paths.ts";
import { CountdownBadge } from "@/shared/tender/CountdownBadge.tsx";
import { PrintedTitle } from "@/shared/tender/PrintedTitle.tsx";

interface NoticeProps {
  notice: ShownNotice;
  /** Whether the notice is the first thing on the page, so that its clip loads at once. */
  isFirst?: boolean;
}

export function Notice({ notice, isFirst = false }: NoticeProps) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const { tender, publication, date } = notice;
  const address = webAddress(notice.clipUrl);
  const language = tender.language ?? undefined;
  const Heading = isFirst ? "h2" : "h3";
  return (
    <figure className="flex flex-col overflow-hidden rounded-xl border border-line bg-sheet shadow-sheet">
      {address && !failed && (
        // Newsprint keeps its paper colour in the dark theme. Of a long notice, only the head shows.
        <div
          className={`overflow-hidden bg-[#f6f1e4] ${isFirst ? "aspect-[2/1] sm:aspect-[3/2]" : "aspect-[2/1]"}`}
        >
          <img
            src={address}
            alt={t("home.notices.alt", { paper: publication })}
            fetchPriority={isFirst ? "high" : "auto"}
            loading={isFirst ? "eager" : "lazy"}
            decoding="async"
            onError={() => setFailed(true)}
            className="block w-full dark:brightness-90"
          />
        </div>
      )}
      <figcaption className="border-t border-line px-4 py-3 sm:px-5 sm:py-4">
        <p className="flex items-center gap-2 text-[0.8125rem] font-semibold text-accent">
          <Newspaper size={16} aria-hidden className="shrink-0" />
          <span className="min-w-0 break-words">
            {date ? `${publication}, ${formatDay(date)}` : publication}
          </span>
        </p>
        <Heading lang={language} className="mt-1.5 leading-snug font-semibold">
          <Link
            to={paths.tender(tender._id)}
            className="line-clamp-2 break-words visited:text-visited hover:text-accent hover:underline"
          >
            <PrintedTitle printed={tender.title} />
          </Link>
        </Heading>
        <p lang={language} className="text-[0.9375rem] break-words text-ink-soft">
          <PrintedTitle printed={tender.organization} />
        </p>
        {tender.closing && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.9375rem]">
            {formatMoment(tender.closing)}
            <CountdownBadge closing={tender.closing} />
          </p>
        )}
      </figcaption>
    </figure>
  );
}
