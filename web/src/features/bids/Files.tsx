// The files that a team keeps with a bid.

import { Download, Trash2, Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import type { BidDetails } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatMoment } from "@/shared/format/dates.ts";
import { formatKilobytes } from "@/shared/format/money.ts";
import { Button } from "@/ui/Button.tsx";
import { useAddFile, useBidAction, useDownloadFile } from "./api.ts";
import { FoldedSection } from "./FoldedSection.tsx";

/** The endings of the files that the portal accepts. */
const ACCEPTED = ".pdf,.docx,.xlsx,.doc,.xls,.zip,.jpg,.jpeg,.png,.webp";

const ICON_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:bg-well md:size-9";

function FileRow({ bidId, file }: { bidId: string; file: BidDetails["files"][number] }) {
  const { t } = useTranslation();
  const action = useBidAction(bidId);
  const download = useDownloadFile(bidId);
  const { _id, name, size, uploader, createdAt } = file;
  return (
    <li className="flex items-center gap-1 py-1.5">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-soft">
          {[
            t("tenders.details.kilobytes", { size: formatKilobytes(size) }),
            uploader?.name ?? t("bids.deletedUser"),
            formatMoment(createdAt),
          ].join(" · ")}
        </p>
      </div>
      <button
        type="button"
        aria-label={t("bids.file.download", { name })}
        disabled={download.isPending}
        onClick={() => download.mutate({ id: _id, name })}
        className={`${ICON_BUTTON} hover:text-accent`}
      >
        <Download size={16} aria-hidden />
      </button>
      <button
        type="button"
        aria-label={t("bids.file.delete", { name })}
        disabled={action.isPending}
        onClick={() => action.mutate({ kind: "deleteFile", file: _id })}
        className={`${ICON_BUTTON} hover:text-urgent`}
      >
        <Trash2 size={16} aria-hidden />
      </button>
    </li>
  );
}

export function Files({ details, anchor }: { details: BidDetails; anchor: string }) {
  const { t } = useTranslation();
  const { bid, files } = details;
  const input = useRef<HTMLInputElement>(null);
  const add = useAddFile(bid._id);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file) add.mutate(file);
    // The same file can be chosen again after an error.
    target.value = "";
  };
  return (
    <FoldedSection title={t("bids.file.heading")} summary={String(files.length)} anchor={anchor}>
      {files.length === 0 ? (
        <p className="text-ink-soft">{t("bids.file.none")}</p>
      ) : (
        <ul className="divide-y divide-line">
          {files.map((file) => (
            <FileRow key={file._id} bidId={bid._id} file={file} />
          ))}
        </ul>
      )}
      <div className="mt-3 border-t border-line pt-4">
        <input
          ref={input}
          type="file"
          accept={ACCEPTED}
          aria-label={t("bids.file.choose")}
          onChange={choose}
          className="sr-only"
          tabIndex={-1}
        />
        <Button
          variant="outlined"
          size="small"
          disabled={add.isPending}
          onClick={() => input.current?.click()}
        >
          <Upload size={16} aria-hidden />
          {t(add.isPending ? "bids.file.adding" : "bids.file.add")}
        </Button>
        <p className="mt-2 text-sm text-ink-soft">{t("bids.file.help")}</p>
      </div>
    </FoldedSection>
  );
}
