// The order of the cards within a stage of the board. The choice is stored in this browser.

import { useSyncExternalStore } from "react";
import { enumValues, parseEnum } from "@/api/enums.ts";

/** By the closing of the tenders, or as the users of the board have placed the cards. */
export type BoardOrder = "closing" | "own";

export const BOARD_ORDERS = enumValues<BoardOrder>()("closing", "own");

const STORAGE_KEY = "board-order";

/** The last choice on this page, for browsers without storage. */
let fallback: BoardOrder = "closing";

function read(): BoardOrder {
  try {
    return parseEnum(BOARD_ORDERS, window.localStorage.getItem(STORAGE_KEY)) ?? "closing";
  } catch {
    return fallback;
  }
}

/** Changes the choice and stores it. */
export function chooseBoardOrder(order: BoardOrder): void {
  fallback = order;
  try {
    window.localStorage.setItem(STORAGE_KEY, order);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  window.dispatchEvent(new Event(STORAGE_KEY));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(STORAGE_KEY, listener);
  window.addEventListener("storage", listener);
  return () => {
    window.removeEventListener(STORAGE_KEY, listener);
    window.removeEventListener("storage", listener);
  };
}

export function useBoardOrder(): BoardOrder {
  return useSyncExternalStore(subscribe, read);
}
