// A box that an operator draws on the picture of a page. Its parts are fractions of the picture.

export type Box = readonly [x: number, y: number, width: number, height: number];

/** How far an arrow key moves or resizes the box. */
const STEP = 0.01;
/** The smallest side, as the portal accepts it. */
const MIN_SIDE = 0.01;
/** The box that the first arrow key places. */
const FIRST_BOX: Box = [0.3, 0.3, 0.3, 0.2];

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
/** Whole steps stay exact. */
const round = (value: number) => Math.round(value * 10_000) / 10_000;

/** The box between two corners, within the picture. */
export function boxBetween(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): Box {
  const [left, right] = [clamp(Math.min(fromX, toX), 0, 1), clamp(Math.max(fromX, toX), 0, 1)];
  const [top, bottom] = [clamp(Math.min(fromY, toY), 0, 1), clamp(Math.max(fromY, toY), 0, 1)];
  return [round(left), round(top), round(right - left), round(bottom - top)];
}

/** Whether a box is large enough to be read. */
export const isReadable = ([, , width = 0, height = 0]: readonly number[]) =>
  width >= MIN_SIDE && height >= MIN_SIDE;

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/**
 * The box after a key: an arrow places the first box or moves the box, and with Shift it moves the
 * lower right corner. Null for other keys.
 */
export function boxAfterKey(box: Box | null, key: string, isResize: boolean): Box | null {
  const direction = directions[key];
  if (!direction) return null;
  if (!box) return FIRST_BOX;
  const [x, y, width, height] = box;
  const [across, down] = direction;
  return isResize
    ? [x, y, round(clamp(width + across, MIN_SIDE, 1 - x)), round(clamp(height + down, MIN_SIDE, 1 - y))]
    : [round(clamp(x + across, 0, 1 - width)), round(clamp(y + down, 0, 1 - height)), width, height];
}
