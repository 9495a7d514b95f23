/** A picture of the series: a palette and a scene. */
import { compose, type Scene } from './light.ts';
import type { Canvas, Palette } from './svg.ts';

/** The brand's aubergine, amber and coral in different lights, and one cool palette for contrast. */
const PALETTES = {
  amber: {
    night: '#140b10',
    deep: '#3a1a1f',
    body: '#7d3a26',
    glow: '#ffb457',
    hot: '#e8683a',
    light: '#ffeccb',
  },
  coral: {
    night: '#170a14',
    deep: '#45162b',
    body: '#96304a',
    glow: '#ff9a78',
    hot: '#f2553f',
    light: '#ffe6d8',
  },
  plum: {
    night: '#120d18',
    deep: '#2c1a3d',
    body: '#5a3672',
    glow: '#ffab5e',
    hot: '#c9507a',
    light: '#ffe9d6',
  },
  violet: {
    night: '#0f0a1c',
    deep: '#261a4a',
    body: '#4f3a92',
    glow: '#c3a4ff',
    hot: '#8a5cf0',
    light: '#f3ecff',
  },
  rose: {
    night: '#180a17',
    deep: '#471a3c',
    body: '#8f3a66',
    glow: '#ffb6a3',
    hot: '#e75b86',
    light: '#fff0ea',
  },
  sea: {
    night: '#07141a',
    deep: '#0d3038',
    body: '#1d6468',
    glow: '#ffc27a',
    hot: '#3ba99d',
    light: '#f6f4df',
  },
} as const satisfies Record<string, Palette>;

interface Picture {
  readonly palette: keyof typeof PALETTES;
  draw(canvas: Canvas): string;
}

export const picture = (
  palette: keyof typeof PALETTES,
  draw: (canvas: Canvas) => Scene,
): Picture => ({
  palette,
  draw: (canvas) => compose(canvas, draw(canvas)),
});

export type Pictures = Readonly<Record<string, Picture>>;

export const paletteOf = ({ palette }: Picture): Palette => PALETTES[palette];
