// The filters of a list. They stand in the address of the page, so that the way back leads to the
// same list.

import { useEffect, useEffectEvent, useState } from "react";
import { useSearchParams } from "react-router";

/** How long after the last key the list follows the search. */
const SEARCH_DELAY = 250;

/** Returns the parameters of the address, and a function that sets or removes one of them. */
export function useFilters<Name extends string>() {
  const [params, setParams] = useSearchParams();
  const setFilter = (name: Name, value: string) =>
    setParams(
      (params) => {
        if (value === "") params.delete(name);
        else params.set(name, value);
        return params;
      },
      { replace: true },
    );
  return { params, setFilter };
}

/** The search as typed. The filter follows when the user pauses. */
export function useSearchText(value: string, onSettled: (value: string) => void) {
  const [text, setText] = useState(value);
  const settle = useEffectEvent((text: string) => {
    if (text !== value) onSettled(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}
