/** The few SVG shapes that the pictures use. A picture is 1280 x 800 units; things stand on GROUND. */

export const WIDTH = 1280;
export const HEIGHT = 800;
export const GROUND = 650;
export const MIDDLE = WIDTH / 2;

/** Colours from the darkest to the brightest. */
export interface Palette {
  readonly night: string;
  readonly deep: string;
  readonly body: string;
  readonly glow: string;
  readonly hot: string;
  readonly light: string;
}

type Stop = readonly [at: number, colour: string, opacity?: number];
type Direction = 'down' | 'right' | 'slant';

const DIRECTIONS: Readonly<Record<Direction, string>> = {
  down: 'x1="0" y1="0" x2="0" y2="1"',
  right: 'x1="0" y1="0" x2="1" y2="0"',
  slant: 'x1="0" y1="0" x2="1" y2="1"',
};

export type Random = () => number;

/** Pseudo-random numbers from 0 to 1, seeded by a word (mulberry32). */
export function randomFrom(word: string): Random {
  let state = Buffer.from(word).reduce((sum, byte) => (sum * 31 + byte) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A picture being drawn: its colours, its random numbers, and the gradients and filters that its shapes refer to. */
export interface Canvas extends Palette {
  readonly between: (low: number, high: number) => number;
  readonly linear: (direction: Direction, ...stops: readonly Stop[]) => string;
  readonly radial: (...stops: readonly Stop[]) => string;
  /** A `filter` attribute. */
  readonly blurred: (radius: number) => string;
  /** A `clip-path` attribute. */
  readonly within: (shape: string) => string;
  readonly defs: () => string;
}

export function createCanvas(palette: Palette, random: Random): Canvas {
  const parts: string[] = [];
  const add = (make: (id: string) => string): string => {
    const id = `p${parts.length}`;
    parts.push(make(id));
    return `url(#${id})`;
  };
  const stopsOf = (stops: readonly Stop[]): string =>
    stops
      .map(
        ([at, colour, opacity = 1]) =>
          `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
      )
      .join('');
  return {
    ...palette,
    between: (low, high) => Math.round(low + random() * (high - low)),
    linear: (direction, ...stops) =>
      add(
        (id) =>
          `<linearGradient id="${id}" ${DIRECTIONS[direction]}>${stopsOf(stops)}</linearGradient>`,
      ),
    radial: (...stops) =>
      add((id) => `<radialGradient id="${id}">${stopsOf(stops)}</radialGradient>`),
    blurred: (radius) =>
      `filter="${add(
        (id) =>
          `<filter id="${id}" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="${radius}"/></filter>`,
      )}"`,
    within: (shape) =>
      `clip-path="${add((id) => `<clipPath id="${id}"><path d="${shape}"/></clipPath>`)}"`,
    defs: () => `<defs>${parts.join('')}</defs>`,
  };
}

export const path = (d: string, fill: string, more = ''): string =>
  `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d: string, colour: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const ellipse = (
  [x, y]: readonly [number, number],
  [rx, ry]: readonly [number, number],
  fill: string,
  more = '',
): string => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
export const circle = (x: number, y: number, radius: number, fill: string): string =>
  ellipse([x, y], [radius, radius], fill);
export const group = (attributes: string, ...shapes: readonly string[]): string =>
  `<g ${attributes}>${shapes.join('')}</g>`;
export const faded = (opacity: number, ...shapes: readonly string[]): string =>
  group(`opacity="${opacity}"`, ...shapes);
export const moved = (x: number, y: number, ...shapes: readonly string[]): string =>
  group(`transform="translate(${x} ${y})"`, ...shapes);
export const turned = (degrees: number, [x, y]: readonly [number, number], shape: string): string =>
  group(`transform="rotate(${degrees} ${x} ${y})"`, shape);
/** Scales about the middle of the ground. */
export const scaled = (factor: number, ...shapes: readonly string[]): string =>
  group(
    `transform="translate(${MIDDLE} ${GROUND}) scale(${factor}) translate(${-MIDDLE} ${-GROUND})"`,
    ...shapes,
  );
export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A rectangle with rounded corners, as the `d` of a path. */
export const box = (
  [x, y]: readonly [number, number],
  [width, height]: readonly [number, number],
  radius: number,
): string =>
  `M${x + radius} ${y}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}v${height - 2 * radius}q0 ${radius} ${-radius} ${radius}h${-(width - 2 * radius)}q${-radius} 0 ${-radius} ${-radius}v${-(height - 2 * radius)}q0 ${-radius} ${radius} ${-radius}Z`;
export const disc = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0Z`;

type Segment = readonly number[];

/** The outline of an object that is symmetric about `x`, from its right half: two numbers for a line, six for a curve. */
export function symmetric(x: number, start: Segment, ...segments: readonly Segment[]): string {
  const onSide = (side: 1 | -1, numbers: readonly number[]): string =>
    numbers.map((value, index) => (index % 2 === 0 ? x + side * value : value)).join(' ');
  const command = (numbers: readonly number[]): string => (numbers.length === 2 ? 'L' : 'C');
  const right = segments.map((numbers) => command(numbers) + onSide(1, numbers));
  const ends = [start, ...segments].map((numbers) => numbers.slice(-2));
  const left = segments.map((numbers, index) => {
    const [first = 0, second = 0, third = 0, fourth = 0] = numbers;
    const end = ends[index] ?? [];
    const back = numbers.length === 2 ? end : [third, fourth, first, second, ...end];
    return command(back) + onSide(-1, back);
  });
  const turn = `L${onSide(-1, ends.at(-1) ?? [])}`;
  return `M${onSide(1, start)}${right.join('')}${turn}${left.reverse().join('')}Z`;
}
