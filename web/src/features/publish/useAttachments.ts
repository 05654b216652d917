// The state of a tender's documents in the form. Chosen files are uploaded one after the other,
// once the tender has an id.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, messageOf } from "@/api/error.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { deleteDocument, type TenderDocument, uploadDocument } from "./api.ts";

const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_DOCUMENTS = 10;
const ACCEPTED_EXTENSIONS = [
  ".pdf",
  ".docx",
  ".xlsx",
  ".doc",
  ".xls",
  ".zip",
  ".jpg",
  ".jpeg",
  ".png",
  ".webp",
];
/** The file types in the file chooser. The server checks the content. */
export const ACCEPTED_TYPES = ACCEPTED_EXTENSIONS.join(",");

/** Whether the name of a file has an accepted extension. A file can also be dropped. */
function hasAcceptedType({ name }: File): boolean {
  return ACCEPTED_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

/** An attached document, or a file that is not attached yet. */
export interface Attachment {
  /** The React key. */
  key: string;
  name: string;
  size: number;
  /** The file to upload; `null` if it is attached already or can't be attached. */
  file: File | null;
  /** The id of the attached document; `null` for a file that is not attached. */
  id: string | null;
  /** During the upload, the uploaded fraction from 0 to 1; otherwise `null`. */
  progress: number | null;
  /** Why the file could not be attached or removed; `null` if nothing failed. */
  message: string | null;
}

function toAttached({ _id, name, size }: TenderDocument): Attachment {
  const id = _id ?? name;
  return { key: id, name, size, file: null, id, progress: null, message: null };
}

function toPending(file: File): Attachment {
  const { name, size } = file;
  return { key: crypto.randomUUID(), name, size, file, id: null, progress: null, message: null };
}

export interface Attachments {
  list: readonly Attachment[];
  /** Whether there are files to upload. */
  isPending: boolean;
  add: (files: Iterable<File>) => void;
  remove: (attachment: Attachment) => void;
  retry: (attachment: Attachment) => void;
  /** Uploads all files of the list to the tender with this id. Returns false if one failed. */
  uploadTo: (tenderId: string) => Promise<boolean>;
}

/**
 * The files that could not be attached when a tender was created, by the id of the tender. The form
 * that edits the tender starts with them.
 */
const unsentAttachments = new Map<string, readonly Attachment[]>();

/** The documents of a tender. Without a tender id, only `uploadTo` uploads the chosen files. */
export function useAttachments(tenderId: string | null, documents: readonly TenderDocument[]): Attachments {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [list, setList] = useState<readonly Attachment[]>(() => [
    ...documents.map(toAttached),
    ...(unsentAttachments.get(tenderId ?? "") ?? []),
  ]);
  useEffect(() => void unsentAttachments.delete(tenderId ?? ""), [tenderId]);
  // A ref, because uploads run in sequence and need the latest list before the next render.
  const latest = useRef(list);
  const queue = useRef(Promise.resolve(true));

  const set = (change: (before: readonly Attachment[]) => readonly Attachment[]) => {
    latest.current = change(latest.current);
    setList(latest.current);
  };
  const update = (key: string, change: Partial<Attachment>) =>
    set((before) => before.map((one) => (one.key === key ? { ...one, ...change } : one)));

  const send = async (to: string, { key, file }: Attachment): Promise<boolean> => {
    // The user removed the file before its upload began.
    if (!file || !latest.current.some((one) => one.key === key)) return true;
    if (file.size > MAX_FILE_BYTES) return false;
    update(key, { progress: 0, message: null });
    try {
      const onProgress = (progress: number) => update(key, { progress });
      const { document } = await uploadDocument(to, file, onProgress);
      // The server stores identical files as one document.
      set((before) => [
        ...before.filter((one) => one.key !== key && one.id !== document._id),
        toAttached(document),
      ]);
      return true;
    } catch (error) {
      const message = messageOf(error, t("publish.documents.failed"));
      // The server would refuse the same file again, so there is no retry.
      const isRefused = error instanceof ApiError && error.isRefusal;
      update(key, { progress: null, message, ...(isRefused ? { file: null } : {}) });
      return false;
    }
  };

  const uploadTo = (to: string): Promise<boolean> => {
    queue.current = queue.current.then(async () => {
      let all = true;
      for (const one of latest.current.filter(({ file }) => file)) all = (await send(to, one)) && all;
      if (!all && tenderId === null)
        unsentAttachments.set(
          to,
          latest.current.filter(({ message }) => message !== null),
        );
      await client.invalidateQueries({ queryKey: ["tenders"] });
      return all;
    });
    return queue.current;
  };

  const add = (files: Iterable<File>) => {
    // A refused file does not count.
    let count = latest.current.filter(({ file, id }) => file !== null || id !== null).length;
    const fresh = [...files].map((file) => {
      const one = toPending(file);
      if (!hasAcceptedType(file)) return { ...one, file: null, message: t("publish.documents.wrongType") };
      count += 1;
      const isOneTooMany = count > MAX_DOCUMENTS;
      if (isOneTooMany) return { ...one, file: null, message: t("publish.documents.tooMany") };
      if (one.size > MAX_FILE_BYTES) return { ...one, file: null, message: t("publish.documents.tooLarge") };
      return one;
    });
    set((before) => [...before, ...fresh]);
    if (tenderId) void uploadTo(tenderId);
  };

  const remove = async ({ key, id }: Attachment) => {
    if (id && tenderId) {
      try {
        await deleteDocument(tenderId, id);
        void client.invalidateQueries({ queryKey: ["tenders"] });
      } catch (error) {
        return update(key, { message: messageOf(error, t("publish.documents.removeFailed")) });
      }
    }
    set((before) => before.filter((one) => one.key !== key));
  };

  return {
    list,
    isPending: list.some(({ file }) => file !== null),
    add,
    remove: (one) => void remove(one),
    retry: (one) => {
      update(one.key, { message: null });
      if (tenderId) void uploadTo(tenderId);
    },
    uploadTo,
  };
}
