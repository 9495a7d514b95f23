import type { IconShape } from './icon-svg.ts';

/** A bitmap in `icons/`, for browsers and phones that do not accept SVG. */
export interface IconFile {
  readonly name: string;
  readonly shape: IconShape;
  readonly sidePx: number;
}

/** Sizes requested by Chromium, Android and iOS. Other sizes are scaled down from the next larger one. */
export const ICON_FILES = [
  { name: 'icon-192.png', shape: 'rounded', sidePx: 192 },
  { name: 'icon-512.png', shape: 'rounded', sidePx: 512 },
  { name: 'maskable-192.png', shape: 'full', sidePx: 192 },
  { name: 'maskable-512.png', shape: 'full', sidePx: 512 },
  // iOS rounds the corners itself and turns transparent areas black.
  { name: 'apple-touch-icon.png', shape: 'full', sidePx: 180 },
] as const satisfies readonly IconFile[];
