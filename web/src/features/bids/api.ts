// The API calls of the bid board.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api/client.ts";
import { messageOf } from "@/api/error.ts";
import { saveFile } from "@/api/saveFile.ts";
import type { Bid, BidDetails, ReminderForm } from "@/api/types.ts";
import { upload } from "@/api/upload.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { bidBoard, bidDetails } from "@/shared/bids.ts";
import { tenderDetails } from "@/shared/tender/tenderQueries.ts";
import { toast } from "@/ui/toasts.ts";
import { type Placement, placed } from "./board.ts";

/** Adds a tender to the board. */
export function useAddBid() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tenderId: string) => call(api.POST("/bids", { body: { tenderId } })),
    retry: false,
    onSuccess: (_, tenderId) => {
      const { queryKey } = tenderDetails(tenderId);
      void client.invalidateQueries({ queryKey, refetchType: "none" });
      return client.invalidateQueries({ queryKey: bidBoard.queryKey });
    },
  });
}

/** Changes to a board are sent one after another, so that each knows the version that the last one made. */
const SCOPE = { id: "bids" };

export interface Move {
  bid: Bid;
  to: Placement;
}

/** Moves a bid on the board. The move shows at once and is undone if the request fails. */
export function usePlaceBid() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { queryKey } = bidBoard;
  const setBids = (change: (bids: Bid[]) => Bid[]) =>
    client.setQueryData(queryKey, (board) => board && { ...board, bids: change(board.bids) });
  return useMutation({
    scope: SCOPE,
    mutationFn: ({ bid, to }: Move) => {
      const known = client.getQueryData(queryKey)?.bids.find(({ _id }) => _id === bid._id);
      const body = { ...to, version: known?.version ?? bid.version };
      return call(api.PUT("/bids/{id}/place", { params: { path: { id: bid._id } }, body }));
    },
    onMutate: async ({ bid, to }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      setBids((bids) => placed(bids, bid._id, to));
      return before;
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.error(messageOf(error, t("bids.moveFailed")));
      return client.invalidateQueries({ queryKey: ["bids"] });
    },
    onSuccess: (details, { bid }) => {
      const { version, updatedAt } = details.bid;
      // The bid may have been moved again meanwhile, so its place stays as it is.
      setBids((bids) => bids.map((one) => (one._id === bid._id ? { ...one, version, updatedAt } : one)));
      showDetails(client, details);
    },
  });
}

/** Shows the current state of a bid on its page, and reads again what depends on it. */
function showDetails(client: ReturnType<typeof useQueryClient>, details: BidDetails): void {
  const { _id, tender } = details.bid;
  client.setQueryData(bidDetails(_id).queryKey, details);
  // A dropped bid also withdraws the intention to bid.
  void client.invalidateQueries({ queryKey: tenderDetails(tender._id).queryKey, refetchType: "none" });
}

/** Something that changes a bid. */
export type BidAction =
  | ({ kind: "place"; version: number } & Placement)
  | { kind: "change"; version: number; ownerId: string | null; value: number | null }
  | { kind: "addNote"; text: string }
  | { kind: "deleteNote"; note: string }
  | { kind: "addTask"; title: string; due: string | null; assigneeId: string | null }
  | {
      kind: "changeTask";
      task: string;
      title: string;
      due: string | null;
      assigneeId: string | null;
      isDone: boolean;
    }
  | { kind: "deleteTask"; task: string }
  | { kind: "tickRow"; key: string; fingerprint: string; isDone: boolean }
  | { kind: "deleteRow"; row: string }
  | { kind: "remind"; forAll: boolean; setting: ReminderForm }
  | { kind: "resetReminders" }
  | { kind: "deleteFile"; file: string };

/** Stores reminders for a bid, or for all bids, and returns the bid. */
async function remind(id: string, forAll: boolean, body: ReminderForm): Promise<BidDetails> {
  const params = { path: { id } };
  if (!forAll) return call(api.PUT("/bids/{id}/reminders", { params, body }));
  await call(api.PUT("/bids/reminders", { body }));
  return call(api.DELETE("/bids/{id}/reminders", { params }));
}

function send(id: string, action: BidAction): Promise<BidDetails> {
  const params = { path: { id } };
  switch (action.kind) {
    case "place": {
      const { kind: _, ...body } = action;
      return call(api.PUT("/bids/{id}/place", { params, body }));
    }
    case "change": {
      const { kind: _, ...body } = action;
      return call(api.PUT("/bids/{id}", { params, body }));
    }
    case "addNote":
      return call(api.POST("/bids/{id}/notes", { params, body: { text: action.text } }));
    case "deleteNote":
      return call(api.DELETE("/bids/{id}/notes/{note}", { params: { path: { id, note: action.note } } }));
    case "addTask": {
      const { kind: _, ...body } = action;
      return call(api.POST("/bids/{id}/tasks", { params, body }));
    }
    case "changeTask": {
      const { kind: _, task, ...body } = action;
      return call(api.PUT("/bids/{id}/tasks/{task}", { params: { path: { id, task } }, body }));
    }
    case "deleteTask":
      return call(api.DELETE("/bids/{id}/tasks/{task}", { params: { path: { id, task: action.task } } }));
    case "tickRow": {
      const { kind: _, ...body } = action;
      return call(api.PUT("/bids/{id}/checklist", { params, body }));
    }
    case "deleteRow":
      return call(api.DELETE("/bids/{id}/checklist/{row}", { params: { path: { id, row: action.row } } }));
    case "remind":
      return remind(id, action.forAll, action.setting);
    case "deleteFile":
      return call(api.DELETE("/bids/{id}/files/{file}", { params: { path: { id, file: action.file } } }));
    case "resetReminders":
      return call(api.DELETE("/bids/{id}/reminders", { params }));
  }
}

/** Changes a bid. If somebody has changed it meanwhile, its current state is read. */
export function useBidAction(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    scope: SCOPE,
    mutationFn: (action: BidAction) => send(id, action),
    onSuccess: (details) => {
      showDetails(client, details);
      return client.invalidateQueries({ queryKey: bidBoard.queryKey });
    },
    onError: (error) => {
      toast.error(messageOf(error, t("bids.failed")));
      void client.invalidateQueries({ queryKey: bidDetails(id).queryKey });
    },
  });
}

/** Removes a bid from the board. */
export function useDeleteBid(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    scope: SCOPE,
    mutationFn: () => call(api.DELETE("/bids/{id}", { params: { path: { id } } })),
    onSuccess: () => {
      toast.success(t("bids.deleted"));
      client.removeQueries({ queryKey: bidDetails(id).queryKey });
      void client.invalidateQueries({ queryKey: ["tenders", "details"], refetchType: "none" });
      return client.invalidateQueries({ queryKey: bidBoard.queryKey });
    },
    onError: (error) => void toast.error(messageOf(error, t("bids.failed"))),
  });
}

/** Uploads a file to a bid. */
export function useAddFile(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useMutation({
    scope: SCOPE,
    mutationFn: (file: File) => upload<BidDetails>(`/bids/${encodeURIComponent(id)}/files`, file),
    retry: false,
    onSuccess: (details) => showDetails(client, details),
    onError: (error) => void toast.error(messageOf(error, t("bids.file.failed"))),
  });
}

/** Downloads a file of a bid. */
export function useDownloadFile(id: string) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async ({ id: file, name }: { id: string; name: string }) => {
      const params = { path: { id, file } };
      saveFile(await api.GET("/bids/{id}/files/{file}", { params, parseAs: "blob" }), name);
    },
    retry: false,
    onError: (error) => void toast.error(messageOf(error, t("bids.file.failed"))),
  });
}

/** Downloads the evidence pack of a bid. */
export function useEvidence(id: string) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: async () =>
      saveFile(
        await api.GET("/bids/{id}/evidence.pdf", { params: { path: { id } }, parseAs: "blob" }),
        "evidence.pdf",
      ),
    retry: false,
    onError: (error) => void toast.error(messageOf(error, t("bids.evidenceFailed"))),
  });
}
