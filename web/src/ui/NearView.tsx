// Renders its children once the reader is near them. Until then, a light substitute stands in their place.

import { type ReactNode, useEffect, useRef, useState } from "react";

/** How far from the view the children are rendered: about a screen of a phone. */
const MARGIN = "800px";

interface NearViewProps {
  /** What stands in the place of the children. It should have about their height. */
  substitute: ReactNode;
  children: ReactNode;
}

export function NearView({ substitute, children }: NearViewProps) {
  const place = useRef<HTMLDivElement>(null);
  // Where a browser can't tell what is in view, all is.
  const [isNear, setNear] = useState(() => typeof IntersectionObserver === "undefined");
  useEffect(() => {
    if (isNear || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={place}>{substitute}</div>;
}
