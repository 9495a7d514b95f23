/** Scenes around cars: helmets, roads, tracks, tyres and weather. */
import { lamp, shadow, solid } from './light.ts';
import {
  MIDDLE,
  box,
  circle,
  disc,
  faded,
  group,
  GROUND,
  line,
  path,
  times,
  turned,
  WIDTH,
  type Canvas,
} from './svg.ts';

export function helmet(canvas: Canvas): string {
  const { night, light, hot, glow, body, linear, within } = canvas;
  const shell =
    'M416 566C398 386 486 246 654 244C802 242 896 344 888 494C886 540 876 584 866 612C860 628 850 634 832 634H690C668 634 656 624 648 606L632 574L446 598C428 600 418 590 416 566Z';
  const visor =
    'M412 492C406 442 414 398 432 362C520 344 640 350 712 384C722 430 716 480 696 512C610 532 500 530 424 516C416 514 413 504 412 492Z';
  return (
    shadow(canvas, 652, 250) +
    solid(canvas, shell, [hot, body]) +
    group(
      within(shell),
      path('M560 230C700 260 800 340 840 640L900 640V230Z', glow, 'opacity=".85"'),
      path('M612 236C740 270 826 350 866 640L878 640C840 340 752 262 640 236Z', light),
      path(shell, linear('down', [0, light, 0.25], [0.4, light, 0], [1, night, 0.6])),
    ) +
    path(visor, linear('slant', [0, night], [0.45, body], [0.62, glow], [1, hot])) +
    group(
      within(visor),
      path(
        'M430 380C520 360 640 366 716 396L716 420C640 388 520 384 424 410Z',
        light,
        `opacity=".65" ${canvas.blurred(4)}`,
      ),
    ) +
    line(visor, night, 6) +
    circle(742, 468, 17, night) +
    circle(742, 468, 8, glow)
  );
}

/** A road that winds from the foreground to the sun. */
export const road = (canvas: Canvas): string => {
  const { night, deep, light, glow, linear } = canvas;
  const ribbon =
    'M352 820C330 690 900 672 884 606C870 560 520 566 560 512C580 486 668 482 662 452L672 452C690 486 616 494 606 516C590 556 982 540 1000 610C1014 700 640 700 748 820Z';
  const middle = 'M548 820C500 690 950 680 944 608C930 548 556 562 584 514C600 488 676 486 667 452';
  return (
    path(
      `M-20 ${GROUND - 150}C200 ${GROUND - 190} 460 ${GROUND - 170} 660 ${GROUND - 200}S1100 ${GROUND - 190} 1300 ${GROUND - 160}V820H-20Z`,
      linear('down', [0, deep], [0.35, night], [1, night]),
    ) +
    path(ribbon, linear('down', [0, canvas.hot], [0.3, canvas.body], [1, deep])) +
    line(ribbon, glow, 3, 'opacity=".65"') +
    line(middle, light, 4, 'stroke-dasharray="26 24" opacity=".85"') +
    [0, 1].map((side) => lamp(canvas, 586 + side * 16, 526, 5)).join('')
  );
};

/** The kerbs of a race track leading away, and its flag. */
export const track = (canvas: Canvas): string => {
  const { night, deep, light, hot, body, linear } = canvas;
  const kerb = (side: 1 | -1): string =>
    times(13, (index) => {
      const near = (part: number): number => 1 / (1 + part * 0.55);
      const edge = (part: number, width: number): number =>
        MIDDLE + side * (40 + 700 * near(part) + width * near(part));
      const y = (part: number): number => 520 + 300 * near(part);
      const [a, b] = [index, index + 1];
      return path(
        `M${edge(a, 0)} ${y(a)}L${edge(a, 120)} ${y(a)}L${edge(b, 120)} ${y(b)}L${edge(b, 0)} ${y(b)}Z`,
        index % 2 === 0 ? hot : light,
        'opacity=".92"',
      );
    });
  return (
    path(`M-20 560H1300V820H-20Z`, linear('down', [0, body], [0.4, deep], [1, night])) +
    path('M590 552H690L1400 820H-120Z', linear('down', [0, deep], [1, night])) +
    kerb(-1) +
    kerb(1) +
    times(5, (index) =>
      path(
        `M${636 - index * 3} ${580 + index * index * 15}h${8 + index * 6}l${index * 2} ${10 + index * 8}h${-8 - index * 10}Z`,
        light,
        'opacity=".7"',
      ),
    )
  );
};

/** A flag in the wind. */
export function chequered(canvas: Canvas, x: number, y: number): string {
  const { night, light } = canvas;
  const wave = (u: number): number => Math.sin(u * 5.2) * 20;
  const squares = times(40, (index) => {
    const [column, row] = [index % 8, Math.floor(index / 8)];
    const corner = (u: number, v: number): string =>
      `${x + u * 54} ${Math.round(y + v * 50 + wave((u / 8) * 1.4) - u * 5)}`;
    const shape = `M${corner(column, row)}L${corner(column + 1, row)}L${corner(column + 1, row + 1)}L${corner(column, row + 1)}Z`;
    return (
      path(shape, (column + row) % 2 === 0 ? night : light) +
      path(shape, night, `opacity="${(0.16 + 0.16 * Math.sin((column / 8) * 7.3 + 2)).toFixed(2)}"`)
    );
  });
  return (
    squares +
    solid(canvas, box([x - 12, y - 40], [14, GROUND - y + 40], 5), [canvas.glow, canvas.body])
  );
}

export function tyre(canvas: Canvas, x: number, radius: number): string {
  const { night, deep, body, light, hot, glow, linear } = canvas;
  const y = GROUND - radius;
  return (
    shadow(canvas, x, radius * 1.05) +
    solid(canvas, disc(x, y, radius), [deep, night]) +
    line(
      disc(x, y, radius * 0.83),
      hot,
      radius * 0.035,
      'opacity=".95" stroke-dasharray="170 60"',
    ) +
    times(40, (index) =>
      turned(index * 9, [x, y], line(`M${x} ${y - radius + 3}v${radius * 0.07}`, night, 6)),
    ) +
    circle(x, y, radius * 0.68, linear('slant', [0, light], [0.35, body], [1, night])) +
    circle(x, y, radius * 0.62, night) +
    times(7, (index) =>
      turned(
        index * 51.43,
        [x, y],
        path(
          `M${x - radius * 0.05} ${y}L${x - radius * 0.14} ${y - radius * 0.63}h${radius * 0.28}L${x + radius * 0.05} ${y}Z`,
          linear('down', [0, light], [0.5, glow], [1, body]),
        ),
      ),
    ) +
    circle(x, y, radius * 0.15, linear('slant', [0, glow], [1, deep])) +
    circle(x, y, radius * 0.06, night)
  );
}

/** Streaks of motion blur. */
export const streaks = (canvas: Canvas, count: number): string =>
  times(count, () => {
    const x = canvas.between(-200, 1100);
    const fill = canvas.linear(
      'right',
      [0, canvas.light, 0],
      [0.5, canvas.glow, 0.9],
      [1, canvas.hot, 0],
    );
    return path(
      `M${x} ${canvas.between(230, 640)}h${canvas.between(200, 560)}v${canvas.between(1, 4)}h-500Z`,
      fill,
      'opacity=".6"',
    );
  });

export const rain = (canvas: Canvas): string =>
  times(90, () => {
    const [x, y] = [canvas.between(-40, WIDTH), canvas.between(-40, 700)];
    return faded(
      canvas.between(8, 36) / 100,
      line(`M${x} ${y}l-${canvas.between(10, 18)} ${canvas.between(50, 90)}`, canvas.light, 2),
    );
  });
