/** Objects on a bar besides bottles and glasses. Each stands on GROUND at `x`. */
import { bottle } from './drinks.ts';
import { glass, lamp, shadow, solid } from './light.ts';
import {
  box,
  circle,
  disc,
  ellipse,
  group,
  GROUND,
  line,
  path,
  symmetric,
  times,
  turned,
  type Canvas,
} from './svg.ts';

/** A cut fruit, standing on its edge. */
export function slice(
  canvas: Canvas,
  x: number,
  radius: number,
  [peel, flesh]: readonly [string, string],
): string {
  const y = GROUND - radius + 3;
  const { light, radial } = canvas;
  return (
    shadow(canvas, x, radius * 1.05) +
    circle(x, y, radius, peel) +
    circle(x, y, radius * 0.92, light) +
    times(9, (index) => {
      const wedge = `M${x} ${y - 6}L${x - radius * 0.25} ${y - radius * 0.76}Q${x} ${y - radius * 0.94} ${x + radius * 0.25} ${y - radius * 0.76}Z`;
      return turned(
        index * 40,
        [x, y],
        path(wedge, radial([0, light, 0.9], [0.25, flesh], [1, peel])),
      );
    }) +
    group(
      canvas.within(disc(x, y, radius)),
      circle(
        x + radius * 0.5,
        y + radius * 0.6,
        radius,
        canvas.radial([0, canvas.night, 0.55], [1, canvas.night, 0]),
      ),
    )
  );
}

export const beans = (
  canvas: Canvas,
  count: number,
  [from, to]: readonly [number, number],
): string =>
  times(count, () => {
    const x = canvas.between(from, to);
    const y = GROUND + canvas.between(-8, 60);
    const bean =
      ellipse(
        [x, y],
        [21, 13],
        canvas.radial([0, canvas.hot], [0.5, canvas.body], [1, canvas.night]),
      ) + line(`M${x - 16} ${y}q16 -9 32 0`, canvas.night, 3.5);
    return (
      ellipse([x, y + 11], [22, 5], canvas.night, `opacity=".6" ${canvas.blurred(4)}`) +
      turned(canvas.between(-50, 50), [x, y], bean)
    );
  });

/** A wooden box, open in front, with bottles in it. */
export function crate(canvas: Canvas): string {
  const { deep, body, night, light, glow } = canvas;
  const front = box([352, GROUND - 172], [576, 172], 10);
  return (
    shadow(canvas, 640, 360) +
    times(6, (index) =>
      bottle(
        canvas,
        424 + index * 86.4,
        330 + (index % 2) * 26,
        [body, canvas.hot, deep][index % 3],
      ),
    ) +
    solid(canvas, front, [body, deep]) +
    [1, 2]
      .map((row) => line(`M356 ${GROUND - 172 + row * 57}H924`, night, 4, 'opacity=".7"'))
      .join('') +
    circle(640, GROUND - 86, 44, canvas.linear('slant', [0, light], [1, glow])) +
    circle(640, GROUND - 86, 26, deep)
  );
}

/** A cut-glass decanter with a stopper. */
export function decanter(canvas: Canvas, x: number): string {
  const { within, linear, glow, hot, light, deep } = canvas;
  const top = GROUND - 300;
  const shape = symmetric(
    x,
    [44, top],
    [30, top + 22],
    [30, top + 84],
    [36, top + 118, 132, top + 130, 138, top + 200],
    [138, GROUND - 22],
    [138, GROUND - 6, 128, GROUND, 112, GROUND],
  );
  return (
    shadow(canvas, x, 170) +
    group(
      within(shape),
      path(
        `M${x - 140} ${top + 186}h280V${GROUND - 20}h-280Z`,
        linear('down', [0, glow], [1, hot]),
      ),
    ) +
    ellipse([x, top + 186], [133, 11], linear('right', [0, hot], [0.5, light], [1, glow])) +
    glass(canvas, shape) +
    group(
      within(shape),
      times(7, (index) =>
        path(
          `M${x - 138 + index * 46} ${GROUND}l-46 -112l46 0l46 112Z`,
          light,
          `opacity="${index % 2 === 0 ? 0.16 : 0.06}"`,
        ),
      ),
      times(7, (index) =>
        line(`M${x - 184 + index * 46} ${GROUND - 112}l46 112l46 -112`, light, 1.6, 'opacity=".5"'),
      ),
    ) +
    solid(canvas, disc(x, top - 40, 44), [glow, deep]) +
    glass(canvas, disc(x, top - 40, 44))
  );
}

/** A cocktail shaker. */
export function shaker(canvas: Canvas, x: number): string {
  const { glow, hot, body, deep, night } = canvas;
  const cup = symmetric(
    x,
    [88, GROUND - 230],
    [66, GROUND - 12],
    [64, GROUND - 2, 58, GROUND, 50, GROUND],
  );
  const cap = symmetric(
    x,
    [24, GROUND - 372],
    [42, GROUND - 366, 46, GROUND - 350, 46, GROUND - 330],
    [46, GROUND - 316],
    [70, GROUND - 300, 90, GROUND - 276, 92, GROUND - 226],
  );
  return (
    shadow(canvas, x, 100) +
    solid(canvas, cup, [glow, body]) +
    solid(canvas, cap, [hot, deep]) +
    line(`M${x - 90} ${GROUND - 228}h180`, night, 4, 'opacity=".6"')
  );
}

/** A steel flask with a screw cap and a strap. */
export function flask(canvas: Canvas, x: number): string {
  const { glow, body, deep, night, light } = canvas;
  const shape = symmetric(
    x,
    [44, GROUND - 356],
    [46, GROUND - 330, 84, GROUND - 322, 84, GROUND - 280],
    [84, GROUND - 18],
    [84, GROUND - 4, 76, GROUND, 64, GROUND],
  );
  return (
    shadow(canvas, x, 116) +
    line(`M${x + 34} ${GROUND - 420}q82 -14 86 74q0 60 -38 70`, canvas.hot, 10, 'opacity=".9"') +
    solid(canvas, shape, [glow, body]) +
    solid(canvas, box([x - 48, GROUND - 432], [96, 82], 14), [body, night]) +
    times(5, (index) =>
      line(`M${x - 40 + index * 20} ${GROUND - 418}v56`, deep, 4, 'opacity=".7"'),
    ) +
    circle(x, GROUND - 168, 34, deep) +
    circle(x, GROUND - 168, 34, canvas.radial([0, light, 0.5], [1, canvas.hot, 0])) +
    line(`M${x - 14} ${GROUND - 154}l14 -30l14 30`, light, 5)
  );
}

export const candle = (canvas: Canvas, x: number, tall: number): string =>
  shadow(canvas, x, 46) +
  solid(canvas, box([x - 17, GROUND - tall], [34, tall], 5), [canvas.light, canvas.hot]) +
  lamp(canvas, x, GROUND - tall - 24, 12) +
  path(`M${x} ${GROUND - tall - 58}q20 34 0 50q-20 -16 0 -50Z`, canvas.light);
