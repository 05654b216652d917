// The area over the picture of a page on which an operator draws a box, with the pointer or with the
// keyboard.

import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { useTranslation } from "@/i18n/i18n.ts";
import { type Box, boxAfterKey, boxBetween } from "./drawnBox.ts";

const percent = (part: number) => Math.round(part * 100);

export function DrawArea({
  box,
  onChange,
  onConfirm,
  onCancel,
}: {
  /** `null`: nothing is drawn yet. */
  box: Box | null;
  onChange: (box: Box) => void;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const area = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const start = useRef<readonly [number, number] | null>(null);
  const isByKey = useRef(false);
  // The keyboard works at once.
  useEffect(() => handle.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a key moves the box out of sight
  useEffect(() => {
    if (isByKey.current) handle.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    isByKey.current = false;
  }, [box]);
  const pointOf = ({ clientX, clientY }: PointerEvent): readonly [number, number] => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    return [(clientX - left) / width, (clientY - top) / height];
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = boxAfterKey(box, event.key, event.shiftKey);
    if (next) {
      isByKey.current = true;
      onChange(next);
    } else if (event.key === "Enter") onConfirm();
    else if (event.key === "Escape") onCancel();
    else return;
    event.preventDefault();
  };
  // Without a box, the whole picture has the focus.
  const [x, y, width, height] = box ?? [0, 0, 1, 1];
  return (
    <div
      ref={area}
      className="absolute inset-0 z-20 cursor-crosshair touch-none select-none"
      onPointerDown={(event) => {
        if (!event.isPrimary || event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = pointOf(event);
        handle.current?.focus({ preventScroll: true });
      }}
      onPointerMove={(event) => {
        if (start.current) onChange(boxBetween(start.current, pointOf(event)));
      }}
      onPointerUp={() => {
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
    >
      <button
        ref={handle}
        type="button"
        aria-label={
          box
            ? t("operate.pages.drawnAt", {
                x: percent(x),
                y: percent(y),
                width: percent(width),
                height: percent(height),
              })
            : t("operate.pages.nothingDrawn")
        }
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown Enter Escape"
        onKeyDown={onKeyDown}
        className={`absolute scroll-my-32 cursor-crosshair transition-none focus-visible:outline-3 focus-visible:outline-[#0b5c63] ${box ? "border-2 border-dashed border-[#0b5c63] bg-[#0b5c63]/25 outline-offset-2" : "-outline-offset-3"}`}
        style={{
          left: `${x * 100}%`,
          top: `${y * 100}%`,
          width: `${width * 100}%`,
          height: `${height * 100}%`,
        }}
      />
    </div>
  );
}
