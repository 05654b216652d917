// The app's clock. It advances once a minute, and tests can freeze it.

import { createContext, useContext, useEffect, useState } from "react";

/** Returns the time in milliseconds since 1970. */
export type Clock = () => number;

export const ClockContext = createContext<Clock>(Date.now);

/** The current time in milliseconds since 1970, updated each minute. */
export function useNow(): number {
  const clock = useContext(ClockContext);
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), 60_000);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}
