// Enlarges a picture in place: in steps, or by a click around the clicked point. Users drag or
// scroll an enlarged picture to move it.

import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** The scale of the picture at each step, relative to the size at which it fits. */
const STEP_SCALES = [1, 1.5, 2, 3, 4] as const;
/** The step to which a click enlarges the picture. */
const CLICK_STEP = 2;
/** How far a pressed pointer may move, in pixels, before it drags the picture. */
const DRAG_THRESHOLD = 4;

/** A point of the picture, each coordinate from 0 to 1. */
interface Point {
  x: number;
  y: number;
}

export interface Zoom {
  frame: RefObject<HTMLDivElement | null>;
  isEnlarged: boolean;
  isLargest: boolean;
  /** The width of the enlarged picture; `undefined` if it is not enlarged. */
  style: CSSProperties | undefined;
  step: (by: 1 | -1) => void;
  handlers: {
    onClick: (event: MouseEvent) => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
  };
}

export function useZoom(): Zoom {
  const frame = useRef<HTMLDivElement>(null);
  const [step, setStep] = useState(0);
  /** The width at which the picture fits, in pixels. */
  const [fitting, setFitting] = useState(0);
  /** The point of the picture that is in the middle of the frame after the next zoom. */
  const centre = useRef<Point>({ x: 0.5, y: 0.5 });
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);

  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || step === 0) return;
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = current;
    current.scrollLeft = centre.current.x * scrollWidth - clientWidth / 2;
    current.scrollTop = centre.current.y * scrollHeight - clientHeight / 2;
  }, [step]);

  const visibleCentre = (): Point => {
    const { current } = frame;
    if (!current) return centre.current;
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = current;
    return {
      x: (scrollLeft + clientWidth / 2) / scrollWidth,
      y: (scrollTop + clientHeight / 2) / scrollHeight,
    };
  };
  const zoomTo = (next: number, place: Point) => {
    const width = frame.current?.firstElementChild?.clientWidth ?? 0;
    if (step === 0) setFitting(width);
    centre.current = place;
    setStep(Math.max(0, Math.min(STEP_SCALES.length - 1, next)));
  };

  return {
    frame,
    isEnlarged: step > 0,
    isLargest: step === STEP_SCALES.length - 1,
    style: step > 0 ? { width: fitting * (STEP_SCALES[step] ?? 1) } : undefined,
    step: (by) => zoomTo(step + by, visibleCentre()),
    handlers: {
      onClick: (event) => {
        if (drag.current?.moved) return;
        const picture = frame.current?.firstElementChild?.getBoundingClientRect();
        if (!picture) return;
        const x = (event.clientX - picture.left) / picture.width;
        const y = (event.clientY - picture.top) / picture.height;
        zoomTo(step > 0 ? 0 : CLICK_STEP, { x, y });
      },
      // Only a mouse drags the picture, because touch input scrolls natively.
      onPointerDown: (event) => {
        drag.current =
          event.pointerType === "mouse" && step > 0
            ? { x: event.clientX, y: event.clientY, moved: false }
            : null;
      },
      onPointerMove: (event) => {
        const { current: from } = drag;
        if (!from || event.buttons === 0 || !frame.current) return;
        if (!from.moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= DRAG_THRESHOLD)
          return;
        frame.current.scrollLeft -= event.clientX - from.x;
        frame.current.scrollTop -= event.clientY - from.y;
        drag.current = { x: event.clientX, y: event.clientY, moved: true };
      },
    },
  };
}
