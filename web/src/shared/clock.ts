// The app's clock as React sees it: a moment that moves on once a minute, and that tests can hold still.

import { createContext, useContext, useEffect, useState } from "react";

/** Reads the time in milliseconds since 1970. */
export type Clock = () => number;

export const ClockContext = createContext<Clock>(Date.now);

/** Now, renewed each minute. */
export function useNow(): number {
  const clock = useContext(ClockContext);
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), 60_000);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}
