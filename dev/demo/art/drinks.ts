/** Bottles, glasses and their contents. Each object stands on GROUND at `x`. */
import { glass, shadow, solid } from './light.ts';
import {
  box,
  circle,
  ellipse,
  faded,
  group,
  GROUND,
  line,
  path,
  symmetric,
  times,
  turned,
  type Canvas,
} from './svg.ts';

const bottleShape = (x: number, tall: number): string => {
  const top = GROUND - tall;
  return symmetric(
    x,
    [19, top],
    [19, top + tall * 0.26],
    [22, top + tall * 0.34, 58, top + tall * 0.38, 60, top + tall * 0.5],
    [60, GROUND - 16],
    [60, GROUND - 4, 52, GROUND, 40, GROUND],
  );
};

export function bottle(canvas: Canvas, x: number, tall: number, colour = canvas.body): string {
  const { linear, within, light, glow, hot, night, deep } = canvas;
  const shape = bottleShape(x, tall);
  const top = GROUND - tall;
  const labelTop = top + tall * 0.56;
  const label = `M${x - 60} ${labelTop}h120v${tall * 0.27}h-120Z`;
  return (
    shadow(canvas, x, 86) +
    solid(canvas, shape, [colour, deep]) +
    group(
      within(shape),
      // The backlight shines through the remaining liquid.
      path(
        `M${x - 60} ${top + tall * 0.42}h120V${GROUND}h-120Z`,
        linear('down', [0, hot, 0.55], [1, colour, 0.1]),
      ),
      path(label, linear('right', [0, glow], [0.35, light], [1, hot])),
      circle(x, labelTop + tall * 0.135, tall * 0.06, linear('slant', [0, deep], [1, night])),
      path(
        `M${x - 60} ${labelTop + 8}h120M${x - 60} ${labelTop + tall * 0.27 - 8}h120`,
        'none',
        `stroke="${deep}" stroke-width="2" opacity=".6"`,
      ),
      path(
        `M${x - 42} ${top + tall * 0.44}h11V${GROUND - 20}h-11Z`,
        light,
        `opacity=".5" ${canvas.blurred(4)}`,
      ),
    ) +
    solid(canvas, box([x - 23, top - 26], [46, 40], 7), [hot, night])
  );
}

const tumblerShape = (x: number, tall: number, half: number): string =>
  symmetric(
    x,
    [half, GROUND - tall],
    [half * 0.82, GROUND - 14],
    [half * 0.8, GROUND - 3, half * 0.74, GROUND, half * 0.64, GROUND],
  );

interface Poured {
  readonly tall?: number;
  readonly half?: number;
  /** The fill level, from 0 to 1. */
  readonly full?: number;
  readonly ice?: boolean;
  readonly bubbles?: number;
  readonly colours?: readonly [top: string, bottom: string];
}

/** A straight glass with a drink in it. */
export function tumbler(canvas: Canvas, x: number, poured: Poured = {}): string {
  const { tall = 250, half = 92, full = 0.72, ice = false, bubbles = 0 } = poured;
  const { colours = [canvas.glow, canvas.hot] as const } = poured;
  const { linear, within, light, night } = canvas;
  const shape = tumblerShape(x, tall, half);
  const level = GROUND - 14 - (tall - 14) * full;
  const surface = half * (0.82 + 0.18 * full);
  return (
    shadow(canvas, x, half * 1.25) +
    group(
      within(shape),
      path(
        `M${x - half} ${level}h${half * 2}V${GROUND - 16}h${-half * 2}Z`,
        linear('down', [0, colours[0], 0.95], [1, colours[1]]),
      ),
      path(
        `M${x - half} ${level}h${half * 2}V${GROUND - 16}h${-half * 2}Z`,
        linear('right', [0, night, 0.5], [0.4, night, 0], [1, night, 0.45]),
      ),
      ice
        ? times(4, (index) => {
            const size = half * 0.62;
            const left = x - half * 0.62 + (index % 2) * half * 0.66;
            const top = level - 18 + Math.floor(index / 2) * size * 1.05;
            const cube = box([left, top], [size, size], 10);
            return turned(
              canvas.between(-20, 20),
              [left + size / 2, top + size / 2],
              path(cube, linear('slant', [0, light, 0.75], [0.5, light, 0.14], [1, light, 0.4])) +
                line(cube, light, 1.5, 'opacity=".6"'),
            );
          })
        : '',
      times(bubbles, () =>
        faded(
          canvas.between(35, 85) / 100,
          circle(
            canvas.between(x - half * 0.7, x + half * 0.7),
            canvas.between(level + 8, GROUND - 26),
            canvas.between(2, 6),
            light,
          ),
        ),
      ),
    ) +
    ellipse(
      [x, level],
      [surface, surface * 0.11],
      linear('right', [0, colours[1]], [0.5, light, 0.9], [1, colours[0]]),
      'opacity=".8"',
    ) +
    glass(canvas, shape) +
    ellipse(
      [x, GROUND - tall],
      [half, half * 0.12],
      'none',
      `stroke="${light}" stroke-width="2.5" opacity=".75"`,
    ) +
    path(
      `M${x - half * 0.76} ${GROUND - tall + 22}l${half * 0.14} 0l${-half * 0.06} ${tall - 64}l${-half * 0.05} 0Z`,
      light,
      `opacity=".55" ${canvas.blurred(3)}`,
    )
  );
}

/** A shallow bowl on a stem. */
export function coupe(canvas: Canvas, x: number, colours: readonly [string, string]): string {
  const { linear, within, light } = canvas;
  const top = GROUND - 330;
  const bowl = symmetric(
    x,
    [120, top],
    [112, top + 70, 60, top + 112, 9, top + 122],
    [9, GROUND - 20],
    [12, GROUND - 8, 60, GROUND - 8, 74, GROUND],
  );
  return (
    shadow(canvas, x, 100) +
    group(
      within(bowl),
      path(
        `M${x - 130} ${top + 26}h260v100h-260Z`,
        linear('down', [0, colours[0]], [1, colours[1]]),
      ),
    ) +
    ellipse(
      [x, top + 26],
      [117, 13],
      linear('right', [0, colours[1]], [0.5, light, 0.85], [1, colours[0]]),
    ) +
    glass(canvas, bowl) +
    ellipse([x, top], [120, 13], 'none', `stroke="${light}" stroke-width="2.5" opacity=".75"`)
  );
}
