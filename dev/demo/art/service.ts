/** The crew's tools, and the dishes that it serves. */
import { beam, lamp, shadow, solid } from './light.ts';
import {
  box,
  circle,
  disc,
  ellipse,
  faded,
  group,
  GROUND,
  line,
  path,
  symmetric,
  times,
  WIDTH,
  type Canvas,
} from './svg.ts';

/** A round dish under a dome. */
export function cloche(canvas: Canvas, x: number): string {
  const { light, glow, body, hot } = canvas;
  return (
    shadow(canvas, x, 300) +
    solid(canvas, symmetric(x, [290, GROUND - 26], [286, GROUND - 8, 250, GROUND, 200, GROUND]), [
      light,
      body,
    ]) +
    solid(
      canvas,
      `M${x - 232} ${GROUND - 30}C${x - 232} ${GROUND - 340} ${x + 232} ${GROUND - 340} ${x + 232} ${GROUND - 30}Z`,
      [glow, body],
    ) +
    path(
      `M${x - 168} ${GROUND - 70}C${x - 168} ${GROUND - 180} ${x - 120} ${GROUND - 230} ${x - 60} ${GROUND - 244}C${x - 110} ${GROUND - 200} ${x - 132} ${GROUND - 150} ${x - 134} ${GROUND - 70}Z`,
      light,
      `opacity=".5" ${canvas.blurred(9)}`,
    ) +
    solid(canvas, disc(x, GROUND - 286, 26), [light, hot])
  );
}

/** A rope between two posts in front of a door. */
export function rope(canvas: Canvas): string {
  const { light, glow, hot, body, night, deep } = canvas;
  const post = (x: number): string =>
    shadow(canvas, x, 74) +
    solid(
      canvas,
      symmetric(x, [12, 330], [12, GROUND - 26], [64, GROUND - 18, 72, GROUND - 8, 72, GROUND]),
      [light, body],
    ) +
    solid(canvas, disc(x, 312, 30), [light, hot]);
  const curve = 'M380 372C440 580 840 580 900 372';
  return (
    line(curve, deep, 46) +
    line(curve, hot, 38, 'opacity=".95"') +
    line('M384 362C450 560 830 560 896 362', glow, 9, `opacity=".8" ${canvas.blurred(4)}`) +
    times(19, (index) => {
      const part = (index + 0.5) / 19;
      const x = 380 + 520 * part;
      const y = 372 + 4 * part * (1 - part) * 156;
      return line(`M${x - 10} ${y + 16}l20 -32`, night, 3, 'opacity=".28"');
    }) +
    post(380) +
    post(900)
  );
}

/** A spotlight on its arm. */
export function spotlight(canvas: Canvas): string {
  const { night, light, hot, body, glow, deep } = canvas;
  const head = 'M-150 -92H70q34 0 34 34V58q0 34 -34 34H-150Z';
  return (
    beam(canvas, [560, 300], [330, GROUND], 230) +
    ellipse(
      [330, GROUND],
      [240, 34],
      canvas.radial([0, light, 0.9], [0.5, glow, 0.4], [1, glow, 0]),
    ) +
    line('M690 90V190M560 190H820M560 190V286M820 190V286', body, 17) +
    `<g transform="translate(690 300) rotate(-32)">${solid(canvas, head, [hot, deep])}${times(5, (index) => line(`M${-10 + index * 20} -80V80`, night, 6, 'opacity=".6"'))}${solid(canvas, 'M-172 -108h34q8 0 8 8V100q0 8 -8 8h-34Z', [glow, night])}${ellipse([-172, 0], [26, 100], canvas.radial([0, light], [0.6, light], [1, glow]))}</g>` +
    solid(canvas, disc(690, 190, 18), [light, body])
  );
}

export const plate = (canvas: Canvas, x: number, reach: number): string => {
  const { light, glow, body, night, linear } = canvas;
  const y = GROUND - 14;
  return (
    ellipse([x, y + 16], [reach, reach * 0.15], night, `opacity=".6" ${canvas.blurred(8)}`) +
    ellipse(
      [x, y],
      [reach, reach * 0.17],
      linear('right', [0, body], [0.3, light], [0.7, glow], [1, body]),
    ) +
    ellipse(
      [x, y - 3],
      [reach * 0.74, reach * 0.11],
      linear('right', [0, glow], [0.5, body], [1, light]),
    ) +
    line(
      `M${x - reach} ${y}a${reach} ${reach * 0.17} 0 0 0 ${reach * 2} 0`,
      light,
      2.5,
      'opacity=".7"',
    )
  );
};

/** Hot soup in a deep bowl. */
export function bowl(canvas: Canvas, x: number): string {
  const { light, glow, hot, body, deep, linear } = canvas;
  const shape = `M${x - 240} 440C${x - 236} 560 ${x - 150} 640 ${x - 70} ${GROUND}H${x + 70}C${x + 150} 640 ${x + 236} 560 ${x + 240} 440Z`;
  return (
    shadow(canvas, x, 230) +
    solid(canvas, shape, [glow, deep]) +
    ellipse([x, 440], [240, 46], linear('right', [0, light], [0.5, body], [1, light])) +
    ellipse([x, 444], [218, 37], linear('down', [0, hot], [1, glow])) +
    times(7, (index) =>
      ellipse(
        [x - 150 + index * 50, 446 + (index % 3) * 8 - 8],
        [20, 8],
        index % 2 === 0 ? light : deep,
        'opacity=".75"',
      ),
    ) +
    times(3, (index) =>
      line(
        `M${x - 80 + index * 80} 410c-40 -60 40 -90 0 -150s30 -70 10 -120`,
        light,
        15,
        `opacity=".4" ${canvas.blurred(10)}`,
      ),
    )
  );
}

/** A basket with a lid, a cloth and things sticking out. */
export function basket(canvas: Canvas, x: number, inside: string): string {
  const { hot, body, deep, night, light, glow } = canvas;
  const shape = symmetric(
    x,
    [262, 446],
    [232, GROUND - 10],
    [230, GROUND - 2, 222, GROUND, 212, GROUND],
  );
  return (
    shadow(canvas, x, 290) +
    line(`M${x - 190} 450C${x - 190} 190 ${x + 190} 190 ${x + 190} 450`, body, 20) +
    line(
      `M${x - 190} 450C${x - 190} 190 ${x + 190} 190 ${x + 190} 450`,
      glow,
      4,
      'opacity=".6" stroke-dasharray="12 12"',
    ) +
    inside +
    solid(canvas, shape, [glow, body]) +
    group(
      canvas.within(shape),
      times(8, (row) =>
        times(24, (column) =>
          ellipse(
            [x - 270 + column * 24 + (row % 2) * 12, 462 + row * 25],
            [11, 8],
            (row + column) % 2 === 0 ? hot : deep,
            'opacity=".55"',
          ),
        ),
      ),
      path(shape, canvas.linear('right', [0, night, 0.1], [0.5, night, 0.5], [1, night, 0.1])),
    ) +
    solid(canvas, box([x - 276, 430], [552, 30], 14), [light, hot]) +
    path(
      `M${x - 120} 436L${x + 96} 436L${x + 40} 560L${x - 60} 524Z`,
      canvas.linear('down', [0, light], [1, glow]),
    ) +
    times(4, (index) =>
      line(
        `M${x - 76 + index * 44} 438l${-12 + index * 4} ${86 + (index % 2) * 12}`,
        hot,
        6,
        'opacity=".5"',
      ),
    )
  );
}

/** Lamps hanging low over a counter. */
export const pendants = (canvas: Canvas, xs: readonly number[], y = 250): string =>
  xs
    .map(
      (x) =>
        line(`M${x} -10V${y - 66}`, canvas.night, 4) +
        beam(canvas, [x, y], [x, GROUND], 210) +
        solid(canvas, `M${x - 20} ${y - 66}h40l64 78h-168Z`, [canvas.hot, canvas.night]) +
        lamp(canvas, x, y + 16, 13),
    )
    .join('');

/** Soap bubbles in front of everything. */
export const soap = (canvas: Canvas, count: number): string =>
  times(count, () => {
    const [x, y, radius] = [
      canvas.between(140, 1140),
      canvas.between(180, 700),
      canvas.between(9, 44),
    ];
    return faded(
      0.75,
      circle(
        x,
        y,
        radius,
        canvas.radial([0, canvas.light, 0], [0.8, canvas.light, 0.06], [1, canvas.light, 0.5]),
      ),
      line(disc(x, y, radius), canvas.light, 1.2, 'opacity=".6"'),
      ellipse([x - radius * 0.36, y - radius * 0.42], [radius * 0.2, radius * 0.12], canvas.light),
    );
  });

/** A brick wall, lit in the middle. */
export const bricks = (canvas: Canvas): string =>
  times(16, (row) =>
    times(15, (column) => {
      const left = column * 92 - 46 * (row % 2);
      return path(
        box([left, row * 42 + 2], [86, 37], 3),
        canvas.between(0, 2) === 0 ? canvas.deep : canvas.body,
        `opacity="${(0.16 + canvas.between(0, 16) / 100).toFixed(2)}"`,
      );
    }),
  );

/** A field of stars and a moon. */
export const nightSky = (canvas: Canvas, moonX: number): string =>
  times(70, () =>
    faded(
      canvas.between(10, 60) / 100,
      circle(
        canvas.between(0, WIDTH),
        canvas.between(0, 380),
        canvas.between(1, 3) * 0.8,
        canvas.light,
      ),
    ),
  ) + lamp(canvas, moonX, 180, 44);
