/** Clothes, food, tickets and the crew's equipment. */
import { shadow, solid } from './light.ts';
import {
  circle,
  ellipse,
  group,
  line,
  path,
  symmetric,
  times,
  turned,
  type Canvas,
} from './svg.ts';

export type TicketMark = 'percent' | 'half' | 'two' | 'note' | 'drop';

const marks: Readonly<Record<TicketMark, string>> = {
  percent:
    'M-62 62L62 -62M-74 -46a28 28 0 1 0 56 0a28 28 0 1 0 -56 0M18 46a28 28 0 1 0 56 0a28 28 0 1 0 -56 0',
  half: 'M-80 -30L-56 -56V34M-62 76L62 -76M22 20C26 -8 76 -8 74 22C72 44 30 56 24 78H78',
  two: 'M-56 -70H-96L-86 60H-66ZM-56 -70L-66 60M96 -70H56L66 60H86ZM-22 -4H22M0 -26V18',
  note: 'M-40 50a24 18 0 1 0 0.1 0V-66L60 -86V32a24 18 0 1 1 -0.1 0',
  drop: 'M0 -84C52 -24 62 2 62 26a62 62 0 0 1 -124 0C-62 2 -52 -24 0 -84Z',
};

/** A ticket of heavy paper, rotated about its middle. */
export function ticket(
  canvas: Canvas,
  [x, y]: readonly [number, number],
  degrees: number,
  mark: TicketMark | undefined,
): string {
  const { light, glow, hot, deep, night, linear, within, blurred } = canvas;
  const shape = `M${x - 300} ${y - 140}h600q16 0 16 16v74a50 50 0 0 0 0 100v74q0 16 -16 16h-600q-16 0 -16 -16v-74a50 50 0 0 0 0 -100v-74q0 -16 16 -16Z`;
  const isFront = mark !== undefined;
  return turned(
    degrees,
    [x, y],
    path(shape, night, `opacity=".55" transform="translate(8 20)" ${blurred(16)}`) +
      path(
        shape,
        isFront
          ? linear('slant', [0, light], [0.3, glow], [1, hot])
          : linear('slant', [0, hot], [1, deep]),
      ) +
      group(
        within(shape),
        path(
          `M${x - 320} ${y - 150}L${x - 60} ${y - 150}L${x - 220} ${y + 150}H${x - 320}Z`,
          light,
          'opacity=".14"',
        ),
        times(9, (index) =>
          ellipse(
            [x - 300, y + 140],
            [90 + index * 44, 90 + index * 44],
            'none',
            `stroke="${deep}" stroke-width="1.4" opacity=".16"`,
          ),
        ),
      ) +
      line(`M${x + 150} ${y - 122}v244`, deep, 5, 'stroke-dasharray="1 15" opacity=".6"') +
      (isFront
        ? group(
            `transform="translate(${x - 80} ${y})" fill="none" stroke="${deep}" stroke-width="19" stroke-linecap="round" stroke-linejoin="round"`,
            `<path d="${marks[mark]}"/>`,
          )
        : '') +
      times(11, (index) =>
        path(
          `M${x + 206} ${y - 96 + index * 18}h62v${[4, 9, 5, 11, 7][index % 5]}h-62Z`,
          deep,
          'opacity=".75"',
        ),
      ) +
      line(shape, light, 2, 'opacity=".55"'),
  );
}

export function shirt(canvas: Canvas): string {
  const { night, light, glow, hot, body, deep } = canvas;
  const shape = symmetric(
    640,
    [62, 196],
    [120, 208, 180, 224, 214, 250],
    [300, 384],
    [226, 424],
    [186, 366],
    [186, 612],
    [184, 622, 178, 626, 168, 626],
  );
  return (
    solid(canvas, shape, [glow, body]) +
    path(symmetric(640, [66, 194], [56, 244, 24, 256, 0, 256]), night, 'opacity=".85"') +
    line('M576 200C588 246 616 262 640 262S692 246 704 200', hot, 7) +
    group(
      canvas.within(shape),
      [500, 566, 716, 780]
        .map((x, index) =>
          line(
            `M${x} ${320 + index * 20}q${index % 2 === 0 ? 18 : -18} 150 0 320`,
            night,
            18,
            `opacity=".28" ${canvas.blurred(10)}`,
          ),
        )
        .join(''),
    ) +
    circle(640, 388, 52, canvas.linear('slant', [0, light], [1, glow])) +
    line('M614 412L640 360L666 412', deep, 10)
  );
}

export function umbrella(canvas: Canvas): string {
  const { glow, hot, body, deep, light, night } = canvas;
  const panel = (from: number, to: number): string =>
    `M640 196Q${640 + from * 0.86} 240 ${640 + from} 440Q${640 + (from + to) / 2} ${404} ${640 + to} 440Q${640 + to * 0.86} 240 640 196Z`;
  const edges = [-360, -216, -72, 72, 216, 360];
  return (
    shadow(canvas, 640, 90) +
    solid(canvas, 'M634 400h12v236q0 14 -14 14h-6q-26 0 -26 -26h12q0 14 14 14h2q6 0 6 -6Z', [
      light,
      body,
    ]) +
    edges
      .slice(1)
      .map((to, index) =>
        solid(canvas, panel(edges[index] ?? 0, to), index % 2 === 0 ? [hot, deep] : [glow, hot]),
      )
      .join('') +
    line('M640 196v-34', light, 8) +
    edges.map((edge) => circle(640 + edge, 440, 5, night)).join('')
  );
}

export function bag(canvas: Canvas): string {
  const { light, glow, hot, body, deep, night } = canvas;
  const shape = symmetric(640, [176, 306], [206, 630], [206, 642, 200, 650, 188, 650]);
  return (
    shadow(canvas, 640, 260) +
    line('M554 316C550 140 730 140 726 316', body, 22) +
    solid(canvas, shape, [light, hot]) +
    line('M572 330C560 214 720 214 708 330', glow, 22) +
    group(
      canvas.within(shape),
      line(
        'M520 320q20 160 -6 330M760 320q-24 180 8 330',
        night,
        22,
        `opacity=".3" ${canvas.blurred(12)}`,
      ),
    ) +
    circle(640, 486, 74, deep) +
    line('M604 520L640 448L676 520', light, 13)
  );
}
