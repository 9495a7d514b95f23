/** The app's icon, from which `draw-icons.ts` draws every size and shape. */
import type { Brand } from './types.ts';

/**
 * `rounded`: the icon as it is shown. `full`: fills the whole square, for systems that cut out their own shape; the
 * mark stays inside the central 80 % circle that every shape preserves (W3C manifest, "safe zone").
 */
export type IconShape = 'rounded' | 'full';

/** Side of the mark relative to the icon. A square of 0.56 fits into a circle of 0.8. */
const MARK_PART: Readonly<Record<IconShape, number>> = { rounded: 0.66, full: 0.54 };
const CORNER_PART = 0.22;

export function iconSvg({ logo, colours }: Brand, shape: IconShape): string {
  const { viewBoxSide, paths } = logo;
  const side = viewBoxSide / MARK_PART[shape];
  const margin = (side - viewBoxSide) / 2;
  const corner = shape === 'rounded' ? side * CORNER_PART : 0;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  const { ground, accent } = colours.dark;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" rx="${corner}" fill="${ground}"/>` +
    `<g transform="translate(${margin} ${margin})" fill="${accent}" fill-rule="evenodd">${marks}</g></svg>`
  );
}
