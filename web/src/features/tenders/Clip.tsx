// The newspaper clip a tender was read from: our proof, beside the words.

import { ImageOff, Maximize2 } from "lucide-react";
import { useState } from "react";
import type { Tender } from "@/api/types.ts";
import { useTranslation } from "@/locales/i18n.ts";
import { webAddress } from "./address.ts";
import { formatDay } from "./dates.ts";
import type { Box } from "./evidence.ts";

type Source = NonNullable<Tender["sources"]>[number];

export function Clip({
  source,
  title,
  language,
  mark,
}: {
  source: Source;
  /** The place that is marked, as a box of the clip. */
  mark: Box | null;
  title: string;
  language: string | undefined;
}) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState(false);
  const address = webAddress(source.clipUrl);
  if (!address) return null;
  const caption = [
    source.publication,
    source.date && formatDay(source.date),
    source.page ? t("tenders.details.page", { page: source.page }) : null,
  ].filter(Boolean);
  return (
    <figure>
      {failed ? (
        <p className="flex items-center gap-2 rounded-lg border border-dashed border-edge/60 p-6 text-sm text-ink-soft">
          <ImageOff size={18} aria-hidden />
          {t("tenders.details.clipFailed")}
        </p>
      ) : (
        <a
          href={address}
          target="_blank"
          rel="noopener"
          aria-label={t("tenders.details.clipOpen")}
          className="group relative mx-auto block w-fit overflow-hidden rounded-lg border border-line bg-[#f4f1ea]"
        >
          {mark && (
            <span
              aria-hidden
              data-testid="mark"
              className="pointer-events-none absolute z-10 rounded-sm bg-[#ffd84d]/35 outline-2 outline-[#b35c00]"
              style={{
                left: `${mark[0] * 100}%`,
                top: `${mark[1] * 100}%`,
                width: `${mark[2] * 100}%`,
                height: `${mark[3] * 100}%`,
              }}
            />
          )}
          <img
            src={address}
            alt={t("tenders.details.clipAlt", { title })}
            lang={language}
            decoding="async"
            onError={() => setFailed(true)}
            className="block max-h-[42rem] min-h-24 w-auto max-w-full dark:brightness-90"
          />
          <span className="absolute right-2 bottom-2 grid size-9 place-items-center rounded-lg bg-sheet/90 text-ink shadow-sheet group-hover:text-accent">
            <Maximize2 size={16} aria-hidden />
          </span>
        </a>
      )}
      {caption.length > 0 && (
        <figcaption className="mt-2 text-sm text-ink-soft">{caption.join(", ")}</figcaption>
      )}
    </figure>
  );
}
