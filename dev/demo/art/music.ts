/** Instruments, stages and audiences. */
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
  turned,
  WIDTH,
  type Canvas,
} from './svg.ts';

/** Heads, shoulders and raised hands, from behind. */
export const crowd = (canvas: Canvas, y: number, count = 17): string =>
  times(count, (index) => {
    const x = (index + 0.5) * (WIDTH / count) + canvas.between(-14, 14);
    const top = y + canvas.between(-22, 24);
    const head = canvas.between(25, 32);
    const isCheering = canvas.between(0, 9) < 4;
    const side = canvas.between(0, 1) === 0 ? -1 : 1;
    const [elbow, hand] = [x + side * canvas.between(54, 74), x + side * canvas.between(26, 60)];
    const arm = isCheering
      ? path(
          `M${x + side * 26} ${top + 92}L${elbow} ${top + 4}L${hand - 7} ${top - 84}L${hand + 7} ${top - 86}L${elbow + side * 18} ${top + 2}L${x + side * 66} ${top + 110}Z`,
          canvas.night,
        ) +
        ellipse([hand, top - 92], [10, 14], canvas.night) +
        line(`M${hand - 5} ${top - 98}l-3 -16M${hand + 5} ${top - 98}l4 -15`, canvas.night, 5)
      : '';
    const body = `M${x - 68} 800V${top + 92}C${x - 66} ${top + 44} ${x - 30} ${top + 40} ${x} ${top + 38}S${x + 66} ${top + 44} ${x + 68} ${top + 92}V800Z`;
    const rim = `stroke="${canvas.hot}" stroke-opacity=".45" stroke-width="2"`;
    return (
      arm +
      path(body, canvas.night, rim) +
      ellipse([x, top], [head, head * 1.15], canvas.night, rim)
    );
  });

/** Spotlights from above, crossing over the stage. */
export const beams = (canvas: Canvas, count = 6): string =>
  times(count, (index) => {
    const x = 140 + (index * (WIDTH - 280)) / (count - 1);
    return (
      beam(canvas, [x, 40], [640 + (640 - x) * canvas.between(-60, 60) * 0.012, GROUND], 92) +
      lamp(canvas, x, 40, 9)
    );
  });

/** A vintage microphone. */
export function microphone(canvas: Canvas, x: number, top = 190): string {
  const { night, light, hot, body, glow, deep } = canvas;
  const head = box([x - 74, top], [148, 220], 66);
  return (
    shadow(canvas, x, 110) +
    solid(canvas, box([x - 8, top + 250], [16, GROUND - top - 262], 4), [hot, night]) +
    solid(
      canvas,
      symmetric(x, [20, GROUND - 22], [90, GROUND - 18, 104, GROUND - 8, 104, GROUND]),
      [hot, night],
    ) +
    line(`M${x - 88} ${top + 110}v40q0 108 88 108q88 0 88 -108v-40`, body, 15) +
    solid(canvas, head, [glow, deep]) +
    group(
      canvas.within(head),
      times(9, (index) =>
        line(`M${x - 74} ${top + 22 + index * 23}h148`, night, 7, 'opacity=".75"'),
      ),
      path(
        `M${x - 13} ${top}h26v220h-26Z`,
        canvas.linear('right', [0, hot], [0.5, light], [1, hot]),
      ),
      path(`M${x - 50} ${top}h14v220h-14Z`, light, `opacity=".4" ${canvas.blurred(5)}`),
    )
  );
}

export function grandPiano(canvas: Canvas): string {
  const { night, deep, body, light, hot } = canvas;
  const lid = 'M388 462L566 246C660 176 796 176 884 236C946 280 960 360 936 462Z';
  const side =
    'M352 500C352 484 362 474 378 474H940C962 474 968 500 958 526C952 546 936 556 914 556H352Z';
  return (
    shadow(canvas, 640, 330) +
    ['M420 552l-14 98h20l18 -98Z', 'M664 552l-6 98h20l8 -98Z', 'M884 552l10 98h20l-2 -98Z']
      .map((leg) => solid(canvas, leg, [body, night]))
      .join('') +
    solid(canvas, lid, [deep, night]) +
    line('M706 470L760 250', hot, 5) +
    solid(canvas, side, [body, night]) +
    path('M318 520h150v26h-150Z', light) +
    times(14, (index) => path(`M${322 + index * 10.4} 520h5v14h-5Z`, night)) +
    solid(canvas, 'M306 544h172v18h-172Z', [hot, night])
  );
}

/** A record lying flat, seen in perspective. */
export function record(canvas: Canvas, x: number, y: number, radius: number): string {
  const { night, deep, light, glow, hot, radial, blurred } = canvas;
  const outline = disc(x, y, radius);
  const shine = `M${x} ${y}L${x + radius * 0.95} ${y - radius * 0.52}A${radius} ${radius} 0 0 0 ${x + radius * 0.52} ${y - radius * 0.95}Z`;
  return (
    path(outline, radial([0, deep], [0.7, night], [1, night])) +
    times(15, (index) =>
      ellipse(
        [x, y],
        [radius * (0.4 + index * 0.039), radius * (0.4 + index * 0.039)],
        'none',
        `stroke="${light}" stroke-width="1.1" opacity="${index % 4 === 0 ? 0.3 : 0.12}"`,
      ),
    ) +
    group(
      canvas.within(outline),
      [0, 180]
        .map((turn) => turned(turn, [x, y], path(shine, light, `opacity=".5" ${blurred(16)}`)))
        .join(''),
    ) +
    line(outline, hot, 3, 'opacity=".8"') +
    circle(x, y, radius * 0.34, canvas.linear('slant', [0, glow], [1, hot])) +
    ellipse(
      [x, y],
      [radius * 0.25, radius * 0.25],
      'none',
      `stroke="${deep}" stroke-width="2" opacity=".6"`,
    ) +
    circle(x, y, radius * 0.035, night)
  );
}

/** A double bass, leaning. */
export function doubleBass(canvas: Canvas, x: number): string {
  const { night, light, hot, body, glow } = canvas;
  const shape = symmetric(
    x,
    [24, 318],
    [84, 316, 116, 346, 112, 392],
    [108, 428, 78, 436, 80, 462],
    [82, 488, 138, 492, 142, 556],
    [144, 616, 84, 638, 0, 638],
  );
  const bass =
    solid(canvas, box([x - 11, 96], [22, 250], 6), [hot, night]) +
    solid(canvas, shape, [glow, body]) +
    path(`M${x - 13} 250h26l6 228h-38Z`, night) +
    times(4, (index) =>
      line(`M${x - 8 + index * 5.4} 112L${x - 13 + index * 8.6} 570`, light, 1.6, 'opacity=".8"'),
    ) +
    path(`M${x - 34} 536h68l-6 12h-56Z`, night) +
    [-1, 1]
      .map((side) =>
        line(`M${x + side * 58} 484q${side * -16} 22 0 46q${side * 14} 24 -2 44`, night, 7),
      )
      .join('') +
    times(4, (index) => line(`M${x - 30} ${118 + index * 16}h60`, hot, 7)) +
    line(`M${x} 638v14`, light, 6);
  return shadow(canvas, x + 6, 170) + turned(7, [x, GROUND], bass);
}

/** A loudspeaker with two cones. */
export function loudspeaker(canvas: Canvas, x: number, tall: number): string {
  const { night, deep, body, light, hot, glow, radial } = canvas;
  const width = tall * 0.56;
  const cone = (y: number, radius: number): string =>
    circle(x, y, radius, canvas.linear('slant', [0, hot], [1, night])) +
    circle(x, y, radius * 0.9, radial([0, night], [0.3, body], [1, night])) +
    circle(x, y, radius * 0.34, canvas.linear('slant', [0, glow], [1, deep])) +
    line(disc(x, y, radius * 0.9), light, 1.5, 'opacity=".4"');
  return (
    shadow(canvas, x, width * 0.62) +
    solid(canvas, box([x - width / 2, GROUND - tall], [width, tall], 12), [body, deep]) +
    cone(GROUND - tall * 0.78, width * 0.2) +
    cone(GROUND - tall * 0.34, width * 0.4)
  );
}

/** A string of bulbs from side to side. */
export const festoon = (canvas: Canvas, y: number, sag: number): string => {
  const at = (part: number): readonly [number, number] => [
    part * WIDTH,
    y + Math.sin(part * Math.PI * 3) ** 2 * sag,
  ];
  const wire = Array.from({ length: 61 }, (_, index) =>
    at(index / 60)
      .map(Math.round)
      .join(' '),
  ).join('L');
  return (
    line(`M${wire}`, canvas.night, 3, 'opacity=".8"') +
    times(16, (index) => {
      const [x, height] = at((index + 0.5) / 16);
      return lamp(canvas, Math.round(x), Math.round(height) + 12, 8);
    })
  );
};

export const tent = (canvas: Canvas, x: number, half: number, tall: number): string => {
  const { glow, hot, deep, night, light } = canvas;
  return (
    shadow(canvas, x, half * 1.1) +
    solid(canvas, `M${x} ${GROUND - tall}L${x + half} ${GROUND}H${x - half}Z`, [hot, deep]) +
    path(
      `M${x} ${GROUND - tall}L${x + half * 0.36} ${GROUND}H${x - half * 0.36}Z`,
      canvas.linear('down', [0, hot], [0.6, glow], [1, light]),
    ) +
    path(
      `M${x} ${GROUND - tall}L${x + half * 0.36} ${GROUND}H${x + half * 0.12}Z`,
      night,
      'opacity=".45"',
    ) +
    line(`M${x} ${GROUND - tall}v-26`, light, 3) +
    path(`M${x} ${GROUND - tall - 26}l34 9l-34 9Z`, glow)
  );
};

/** Tree trunks in the mist. */
export const trunks = (canvas: Canvas): string =>
  times(3, (layer) =>
    faded(
      0.35 + layer * 0.28,
      times(7 - layer, () => {
        const x = canvas.between(0, WIDTH);
        const half = 12 + layer * 12;
        return Math.abs(x - 640) < 70 + layer * 90
          ? ''
          : path(
              `M${x - half} -10L${x - half * 1.3} ${GROUND + 6}h${half * 2.6}L${x + half} -10Z`,
              canvas.linear('right', [0, canvas.body], [0.5, canvas.night], [1, canvas.deep]),
            );
      }),
    ),
  );

/** Water up to the edge of the floor, with a ferry and the lights of the far shore. */
export function harbour(canvas: Canvas): string {
  const { night, deep, body, light, glow, hot, linear } = canvas;
  const houses = (layer: number): string =>
    times(22, (index) => {
      const [x, wide] = [-20 + index * 62 + layer * 28, canvas.between(44, 66)];
      const middle = 1 - Math.abs(x - 640) / 900;
      const tall = canvas.between(30, 120) * (1 + middle) * (layer === 0 ? 1.2 : 0.62);
      const fill = linear('down', [0, layer === 0 ? hot : body, 0.5 + layer * 0.4], [1, night]);
      const windows = times(Math.floor(tall / 22), (row) =>
        times(3, (column) =>
          canvas.between(0, 5) > 1
            ? ''
            : path(
                `M${x + 8 + column * 14} ${GROUND - tall + 12 + row * 20}h6v9h-6Z`,
                canvas.between(0, 1) === 0 ? glow : light,
                'opacity=".9"',
              ),
        ),
      );
      return path(`M${x} ${GROUND}v${-tall}h${wide}v${tall}Z`, fill) + windows;
    });
  return (
    houses(0) +
    houses(1) +
    solid(canvas, 'M330 612C350 640 372 650 400 650H900C926 650 944 626 956 600H330Z', [
      body,
      night,
    ]) +
    path('M332 612H954L950 618H336Z', glow, 'opacity=".7"') +
    solid(canvas, 'M420 600V566H846L872 600Z', [light, deep]) +
    solid(canvas, 'M486 566V536H782L802 566Z', [light, deep]) +
    times(16, (index) => circle(446 + index * 25, 583, 5, glow)) +
    times(11, (index) => circle(512 + index * 25, 551, 4.5, glow)) +
    solid(canvas, 'M570 536L582 486H640L634 536Z', [hot, deep]) +
    line('M700 536V452M700 462L860 566M700 462L520 536', light, 2, 'opacity=".7"') +
    times(9, (index) => circle(706 + index * 19, 465 + index * 12.4, 3.5, light))
  );
}
