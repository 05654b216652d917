// The files in dropped folders, with their paths.

import type { ChosenFile } from "./uploads.ts";

/** The maximum number of files in one drop. */
const MAX_FILES = 2000;
const PAGE_FILE = /\.(pdf|jpe?g|png|tiff?)$/i;

/** The dropped files. In folders, other files than newspaper pages are skipped. */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  // The items are only valid during the event, so the entries are taken first.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain.map((file) => ({ file, path: file.name }));
  const found: ChosenFile[] = [];
  for (const entry of entries) if (entry) await collect(entry, found, entry.isFile);
  return found;
}

/** The files of a chosen folder that are newspaper pages. */
export function folderFiles(files: FileList): ChosenFile[] {
  return [...files]
    .filter(({ name }) => PAGE_FILE.test(name) && !name.startsWith("."))
    .slice(0, MAX_FILES)
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

async function collect(entry: FileSystemEntry, found: ChosenFile[], isChosen: boolean): Promise<void> {
  if (found.length >= MAX_FILES) return;
  if (entry.isFile) {
    if (!isChosen && (!PAGE_FILE.test(entry.name) || entry.name.startsWith("."))) return;
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ file, path: entry.fullPath });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader returns the entries in parts.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const next of part) await collect(next, found, false);
  }
}
