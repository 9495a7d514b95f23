/** The apps' icons. `draw-icons.ts` draws every size and shape of the wallet's. */
import type { Brand } from './types.ts';

/**
 * `rounded`: the icon as it is shown. `full`: fills the whole square, for systems that cut out their own shape; the
 * mark stays inside the central 80 % circle that every shape preserves (W3C manifest, "safe zone").
 */
export type IconShape = 'rounded' | 'full';

/** Side of the mark relative to the icon. A square of 0.56 fits into a circle of 0.8. */
const MARK_PART: Readonly<Record<IconShape, number>> = { rounded: 0.66, full: 0.54 };
const CORNER_PART = 0.22;

export interface IconDrawing {
  /** Side of the mark, and radius of the corners, relative to the icon. */
  readonly markPart: number;
  readonly cornerPart: number;
  readonly ground: string;
  readonly mark: string;
}

/** The mark on a square. Apps besides the wallet use other colours, so that nobody takes one for the other. */
export function drawIcon({ logo }: Brand, drawing: IconDrawing): string {
  const { viewBoxSide, paths } = logo;
  const side = viewBoxSide / drawing.markPart;
  const margin = (side - viewBoxSide) / 2;
  const corner = side * drawing.cornerPart;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" rx="${corner}" fill="${drawing.ground}"/>` +
    `<g transform="translate(${margin} ${margin})" fill="${drawing.mark}" fill-rule="evenodd">${marks}</g></svg>`
  );
}

/** The wallet's icon. */
export const iconSvg = (brand: Brand, shape: IconShape): string =>
  drawIcon(brand, {
    markPart: MARK_PART[shape],
    cornerPart: shape === 'rounded' ? CORNER_PART : 0,
    ground: brand.colours.dark.ground,
    mark: brand.colours.dark.accent,
  });
