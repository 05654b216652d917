// The documents of a tender. Users can download them, or read their text over a slow connection.

import { useQuery } from "@tanstack/react-query";
import { Download, FileText } from "lucide-react";
import { useState } from "react";
import { messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { formatKilobytes } from "@/shared/format/money.ts";
import { UpgradePrompt } from "@/shared/plans/UpgradePrompt.tsx";
import type { DetailedTender } from "@/shared/tender/tenderQueries.ts";
import { Button } from "@/ui/Button.tsx";
import { Dialog } from "@/ui/Dialog.tsx";
import { documentText, useDownloadDocument } from "../api.ts";
import { documentKind } from "./documentKinds.ts";

type Document = NonNullable<DetailedTender["documents"]>[number];

function DocumentText({
  tenderId,
  document,
  onClose,
}: {
  tenderId: string;
  document: Document;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const text = useQuery(documentText(tenderId, document._id ?? ""));
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={document.name}
      actions={
        <Button variant="outlined" onClick={onClose}>
          {t("tenders.document.close")}
        </Button>
      }
    >
      {text.data ? (
        <>
          <p className="text-sm">{t("tenders.document.textHint")}</p>
          <section
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a focused section
            tabIndex={0}
            aria-label={document.name}
            className="mt-3 max-h-[60vh] overflow-y-auto rounded-lg border border-line bg-paper p-4 text-[0.9375rem] whitespace-pre-wrap break-words text-ink"
          >
            {text.data.text}
          </section>
        </>
      ) : (
        <p role="status">
          {text.error ? messageOf(text.error, t("tenders.document.failed")) : t("shell.loading")}
        </p>
      )}
    </Dialog>
  );
}

export function Documents({ tender, documents }: { tender: DetailedTender; documents: readonly Document[] }) {
  const { t } = useTranslation();
  const download = useDownloadDocument(tender._id);
  const [opened, setOpened] = useState<Document | null>(null);
  return (
    <div className="grid gap-3">
      <ul className="divide-y divide-line rounded-lg border border-line text-[0.9375rem]">
        {documents.map((document) => {
          const { _id, name, size } = document;
          const kind = documentKind(document);
          return (
            <li key={_id ?? name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <FileText size={16} aria-hidden className="shrink-0 text-ink-soft" />
              <span className="min-w-40 flex-1 break-words">
                {name}{" "}
                <span className="text-sm text-ink-soft">
                  {[t("tenders.details.kilobytes", { size: formatKilobytes(size) }), kind]
                    .filter(Boolean)
                    .join(", ")}
                </span>
              </span>
              {tender.fetchesDocuments && _id && (
                <span className="flex flex-wrap gap-2 print:hidden">
                  {document.hasText && (
                    <Button
                      variant="plain"
                      size="small"
                      aria-label={t("tenders.document.readOf", { name })}
                      onClick={() => setOpened(document)}
                    >
                      {t("tenders.document.read")}
                    </Button>
                  )}
                  <Button
                    variant="outlined"
                    size="small"
                    aria-label={t("tenders.document.downloadOf", { name })}
                    disabled={download.isPending}
                    onClick={() => download.mutate(_id)}
                  >
                    <Download size={16} aria-hidden />
                    {t("tenders.document.download")}
                  </Button>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {!tender.fetchesDocuments && <UpgradePrompt plan="professional" text={t("tenders.locked.documents")} />}
      {opened && <DocumentText tenderId={tender._id} document={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}
