// The area for uploading newspaper pages: files and folders that are dropped or chosen, pasted
// pictures, and photographs that are taken with a phone.

import { useQueryClient } from "@tanstack/react-query";
import { Camera, FileUp, FolderUp, X } from "lucide-react";
import { type ChangeEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "@/i18n/i18n.ts";
import { paths } from "@/shared/paths.ts";
import { Button } from "@/ui/Button.tsx";
import { TextField } from "@/ui/Field.tsx";
import { droppedFiles, folderFiles } from "./droppedFiles.ts";
import {
  ACCEPTED_TYPES,
  addUploads,
  type ChosenFile,
  failureOf,
  MAX_FILE_BYTES,
  mayRetry,
  removeUpload,
  retryUpload,
  type Upload,
  useUploads,
} from "./uploads.ts";

const plainFiles = (files: Iterable<File>) =>
  [...files].map((file): ChosenFile => ({ file, path: file.name }));

/** A file input that looks like a button. */
function FileButton({
  icon,
  label,
  className = "",
  onFiles,
  ...input
}: {
  icon: ReactNode;
  label: string;
  className?: string;
  onFiles: (files: FileList) => void;
  multiple?: boolean;
  accept?: string;
  capture?: "environment";
  webkitdirectory?: "";
}) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-lg border border-edge bg-sheet px-4 text-[0.9375rem] font-semibold hover:border-accent hover:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${className}`}
    >
      {icon}
      {label}
      <input
        id={id}
        type="file"
        className="sr-only"
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          if (event.target.files) onFiles(event.target.files);
          event.target.value = "";
        }}
        {...input}
      />
    </label>
  );
}

function UploadState({ upload, onRetry }: { upload: Upload; onRetry: () => void }) {
  const { t } = useTranslation();
  const { state, name } = upload;
  switch (state.kind) {
    case "waiting":
      return <>{t("operate.pages.upload.waiting")}</>;
    case "known":
      return state.page ? (
        <>
          {t("operate.pages.upload.knownAs")}{" "}
          <Link
            to={paths.operatePage(state.page._id)}
            className="font-medium wrap-anywhere text-accent underline"
          >
            {state.page.fileName}
          </Link>
        </>
      ) : (
        t("operate.pages.upload.known")
      );
    case "sending": {
      const part = Math.round(state.part * 100);
      return (
        <span className="flex items-center gap-2">
          <progress max={100} value={part} className="amount w-32" aria-label={name} />
          {t("operate.pages.upload.sending", { part })}
        </span>
      );
    }
    case "failed":
      return (
        <span className="flex flex-wrap items-center gap-2 font-medium text-urgent">
          {failureOf(
            state,
            t("operate.pages.upload.tooLarge", { size: MAX_FILE_BYTES >> 20 }),
            t("operate.pages.upload.failed"),
          )}
          {mayRetry(state) && (
            <Button variant="plain" size="small" onClick={onRetry}>
              {t("shell.tryAgain")}
            </Button>
          )}
        </span>
      );
  }
}

function UploadList({ uploads, onSent }: { uploads: readonly Upload[]; onSent: () => void }) {
  const { t } = useTranslation();
  return (
    <ul className="mt-4 grid gap-1.5" aria-label={t("operate.pages.upload.list")}>
      {uploads.map((one) => (
        <li key={one.key} className="flex items-center gap-3 rounded-lg bg-well pl-3 text-[0.9375rem]">
          <div className="min-w-0 flex-1 py-1.5">
            <p className="wrap-anywhere">{one.name}</p>
            <div className="text-sm text-ink-soft">
              <UploadState upload={one} onRetry={() => retryUpload(one.key, onSent)} />
            </div>
          </div>
          {one.state.kind !== "sending" && (
            <button
              type="button"
              aria-label={t("operate.pages.upload.remove", { name: one.name })}
              onClick={() => removeUpload(one.key)}
              className="grid size-11 shrink-0 place-items-center rounded-lg text-ink-soft hover:text-urgent"
            >
              <X size={16} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `publication` and `date` are the issue of the files, as far as the address of the page names it. */
export function UploadArea(given: { publication: string; date: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const uploads = useUploads();
  const helpId = useId();
  const [isDragOver, setIsDragOver] = useState(false);
  const [publication, setPublication] = useState(given.publication);
  const [date, setDate] = useState(given.date);
  const onSent = () => {
    for (const list of ["pages", "coverage", "tasks"])
      void client.invalidateQueries({ queryKey: ["operate", list] });
  };
  const add = (files: readonly ChosenFile[]) => {
    if (files.length > 0) addUploads(files, { publication: publication.trim(), date }, onSent);
  };
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = event.clipboardData?.files;
    if (!files?.length) return;
    event.preventDefault();
    add(plainFiles(files));
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => paste(event);
    window.addEventListener("paste", listener);
    return () => window.removeEventListener("paste", listener);
  }, []);
  return (
    <section
      aria-label={t("operate.pages.upload.title")}
      className="mt-4 rounded-xl border border-line bg-sheet p-4 sm:p-5"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file inputs serve keyboard users */}
      <div
        className={`grid justify-items-center gap-3 rounded-lg border-2 border-dashed p-4 text-center sm:py-6 ${isDragOver ? "border-accent bg-accent-wash" : "border-edge/60"}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsDragOver(true);
        }}
        onDragLeave={() => setIsDragOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsDragOver(false);
          void droppedFiles(event.dataTransfer).then(add);
        }}
      >
        <p className="text-lg font-semibold max-sm:hidden" aria-hidden>
          {t("operate.pages.upload.drop")}
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <FileButton
            icon={<Camera size={17} aria-hidden />}
            label={t("operate.pages.upload.photograph")}
            className="pointer-fine:hidden"
            accept="image/jpeg"
            capture="environment"
            onFiles={(files) => add(plainFiles(files))}
          />
          <FileButton
            icon={<FileUp size={17} aria-hidden />}
            label={t("operate.pages.upload.files")}
            accept={ACCEPTED_TYPES}
            multiple
            onFiles={(files) => add(plainFiles(files))}
          />
          <FileButton
            icon={<FolderUp size={17} aria-hidden />}
            label={t("operate.pages.upload.folder")}
            className="pointer-coarse:hidden"
            webkitdirectory=""
            onFiles={(files) => add(folderFiles(files))}
          />
        </div>
        <p id={helpId} className="max-w-[60ch] text-sm text-ink-soft">
          {t("operate.pages.upload.help", { size: MAX_FILE_BYTES >> 20 })}
        </p>
      </div>
      <div className="mt-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-[minmax(0,1fr)_12rem] sm:gap-4">
        <TextField
          label={t("operate.pages.upload.publication")}
          optional={t("operate.pages.upload.optional")}
          value={publication}
          maxLength={100}
          onChange={(event) => setPublication(event.target.value)}
        />
        <TextField
          type="date"
          label={t("operate.pages.upload.date")}
          optional={t("operate.pages.upload.optional")}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
      </div>
      <p className="mt-1 text-sm text-ink-soft">{t("operate.pages.upload.issueHelp")}</p>
      <div aria-live="polite">{uploads.length > 0 && <UploadList uploads={uploads} onSent={onSent} />}</div>
    </section>
  );
}
