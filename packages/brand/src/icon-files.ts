import type { IconShape } from './icon-svg.ts';

/** A drawn icon in `icons/`: what browsers and telephones ask for that take no SVG. */
export interface IconFile {
  readonly name: string;
  readonly shape: IconShape;
  readonly sidePx: number;
}

/** Sizes after which Chromium, Android and iOS ask; others are made of the next larger one. */
export const ICON_FILES = [
  { name: 'icon-192.png', shape: 'rounded', sidePx: 192 },
  { name: 'icon-512.png', shape: 'rounded', sidePx: 512 },
  { name: 'maskable-192.png', shape: 'full', sidePx: 192 },
  { name: 'maskable-512.png', shape: 'full', sidePx: 512 },
  // iOS rounds the corners itself and makes black of what is transparent.
  { name: 'apple-touch-icon.png', shape: 'full', sidePx: 180 },
] as const satisfies readonly IconFile[];
