// The text of a search field whose list follows when the user pauses.

import { useEffect, useEffectEvent, useState } from "react";

/** How long after the last key the list follows the search. */
const SEARCH_DELAY = 250;

/** The search as typed. `onSettled` is called when the user pauses. */
export function useSearchText(value: string, onSettled: (value: string) => void) {
  const [text, setText] = useState(value);
  const settle = useEffectEvent(onSettled);
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
