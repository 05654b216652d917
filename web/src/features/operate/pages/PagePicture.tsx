// The picture of a newspaper page with the boxes of its blocks, and its zoom.

import { ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { PageBlock } from "@/api/types.ts";
import { useTranslation } from "@/i18n/i18n.ts";
import { Button } from "@/ui/Button.tsx";
import { outcomeLooks } from "./outcomes.ts";

const ZOOMS = [1, 1.5, 2, 3, 4];

/** What a block is called: its number, its outcome and its title or reason. */
export function useBlockName() {
  const { t } = useTranslation();
  return ({ number, outcome, title, reason }: PageBlock) =>
    [`${number}. ${t(`operate.pages.outcome.${outcome}`)}`, title || reason].filter(Boolean).join(": ");
}

function BlockBox({
  block,
  isSelected,
  zoom,
  onSelect,
}: {
  block: PageBlock;
  isSelected: boolean;
  zoom: number;
  onSelect: () => void;
}) {
  const nameOf = useBlockName();
  const ref = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: zooming moves the block out of sight
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isSelected, zoom]);
  const [x = 0, y = 0, width = 0, height = 0] = block.box.map((part) => part * 100);
  const { icon: Icon, colour, line } = outcomeLooks[block.outcome];
  return (
    <button
      ref={ref}
      type="button"
      aria-label={nameOf(block)}
      aria-pressed={isSelected}
      onClick={onSelect}
      className="absolute cursor-pointer text-left outline-offset-2 max-lg:scroll-mb-[calc(45dvh+2rem)] focus-visible:z-20 focus-visible:outline-3"
      style={{
        left: `${x}%`,
        top: `${y}%`,
        width: `${width}%`,
        height: `${height}%`,
        border: `${isSelected ? 4 : line === "double" ? 4 : 2}px ${line} ${colour}`,
        backgroundColor: `${colour}${isSelected ? "33" : "14"}`,
        outlineColor: colour,
        zIndex: isSelected ? 10 : undefined,
      }}
    >
      <span
        aria-hidden
        className="absolute top-0 left-0 inline-flex items-center gap-0.5 rounded-br px-1 text-[0.6875rem] leading-4 font-bold"
        style={{ backgroundColor: colour, color: "#ffffff" }}
      >
        <Icon size={11} />
        {block.number}
      </span>
    </button>
  );
}

export function PagePicture({
  url,
  name,
  blocks,
  selected,
  onSelect,
  tools,
  children,
}: {
  url: string;
  name: string;
  blocks: readonly PageBlock[];
  selected: number | null;
  onSelect: (number: number) => void;
  /** What stands beside the zoom. It stays in view. */
  tools: ReactNode;
  /** What lies over the boxes. */
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  const [zoom, setZoom] = useState(1);
  const next = ZOOMS.find((one) => one > zoom);
  const previous = ZOOMS.findLast((one) => one < zoom);
  return (
    <div className="min-w-0">
      <div className="sticky top-(--header) z-10 flex flex-wrap items-center gap-2 bg-paper py-2">
        <Button
          variant="outlined"
          size="small"
          disabled={!previous}
          aria-label={t("operate.pages.zoomOut")}
          onClick={() => previous && setZoom(previous)}
        >
          <ZoomOut size={17} aria-hidden />
        </Button>
        <span role="status" className="w-14 text-center text-sm tabular-nums max-sm:sr-only">
          {t("operate.pages.zoom", { percent: zoom * 100 })}
        </span>
        <Button
          variant="outlined"
          size="small"
          disabled={!next}
          aria-label={t("operate.pages.zoomIn")}
          onClick={() => next && setZoom(next)}
        >
          <ZoomIn size={17} aria-hidden />
        </Button>
        {tools}
      </div>
      <section
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll the picture
        tabIndex={0}
        className="isolate max-h-[calc(100dvh-var(--header)-5rem)] overflow-auto rounded-lg border border-line bg-well"
      >
        <div className="relative" style={{ width: `${zoom * 100}%` }}>
          <img src={url} alt={t("operate.pages.picture", { name })} className="block w-full" />
          {blocks.map((block) => (
            <BlockBox
              key={block.number}
              block={block}
              isSelected={block.number === selected}
              zoom={zoom}
              onSelect={() => onSelect(block.number)}
            />
          ))}
          {children}
        </div>
      </section>
    </div>
  );
}
