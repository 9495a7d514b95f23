/** Cars. */
import { shadow, solid } from './light.ts';
import {
  MIDDLE,
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

function wheel(canvas: Canvas, x: number, radius: number): string {
  const { night, light, hot, body, deep } = canvas;
  const y = GROUND - radius;
  return (
    circle(x, y, radius, night) +
    line(disc(x, y, radius - 3), hot, 3, 'opacity=".5"') +
    circle(x, y, radius * 0.72, canvas.linear('slant', [0, light], [0.4, body], [1, deep])) +
    circle(x, y, radius * 0.62, night) +
    times(10, (index) =>
      turned(
        index * 36,
        [x, y],
        path(
          `M${x - 4} ${y}L${x - 7} ${y - radius * 0.66}h14L${x + 4} ${y}Z`,
          canvas.linear('down', [0, light, 0.9], [1, body]),
        ),
      ),
    ) +
    circle(x, y, radius * 0.13, hot)
  );
}

/** A car from the side, heading left. */
export function carSide(canvas: Canvas): string {
  const { night, light, hot, glow, linear, deep, body } = canvas;
  const outline =
    'M262 618C252 590 262 566 292 556C350 536 410 522 476 512C546 462 616 436 704 434C796 432 866 462 938 508C980 511 1006 516 1018 530C1032 556 1028 592 1018 618C1012 628 1004 630 994 630H288C276 630 266 628 262 618Z';
  return (
    shadow(canvas, 640, 430) +
    // Flattened: a low car looks fast.
    group(
      `transform="translate(0 ${GROUND * 0.16}) scale(1 .84)"`,
      solid(canvas, outline, [hot, deep]),
      path(
        'M512 508C566 468 626 451 698 450L708 506C640 510 570 512 512 508Z',
        linear('slant', [0, light, 0.9], [0.4, body], [1, night]),
      ),
      path(
        'M722 450C790 451 846 472 892 504L730 506Z',
        linear('slant', [0, light, 0.7], [0.5, body], [1, night]),
      ),
      line('M300 572C460 540 700 538 1006 556', light, 2.5, 'opacity=".5"'),
      line('M500 622C520 590 580 574 780 572', night, 3, 'opacity=".6"'),
      line('M716 452L722 600', night, 3, 'opacity=".5"'),
      path('M776 548l70 -16l-18 44l-60 8Z', night, 'opacity=".75"'),
      solid(canvas, 'M930 506L1022 488L1034 494L952 514Z', [hot, night]),
      path('M270 566C300 552 334 546 360 545C340 562 306 570 276 577Z', light),
      path('M1000 530L1020 536L1025 550L998 546Z', glow),
    ) +
    circle(408, GROUND - 54, 66, night) +
    circle(880, GROUND - 54, 68, night) +
    wheel(canvas, 408, 56) +
    wheel(canvas, 880, 58) +
    ellipse([258, 580], [150, 54], canvas.radial([0, light, 0.85], [0.3, glow, 0.4], [1, glow, 0]))
  );
}

const bodyFromFront = (): string =>
  symmetric(
    MIDDLE,
    [0, 418],
    [96, 418, 148, 424, 172, 442],
    [206, 478, 226, 506, 240, 524],
    [296, 530, 330, 552, 336, 592],
    [338, 610, 332, 622, 316, 624],
    [0, 628],
  );

function headlight({ night, light, glow, radial }: Canvas, side: 1 | -1): string {
  const at = (dx: number): number => MIDDLE + side * dx;
  return (
    path(
      `M${at(196)} 574C${at(240)} 560 ${at(290)} 554 ${at(318)} 560C${at(322)} 570 ${at(318)} 580 ${at(308)} 584C${at(270)} 584 ${at(230)} 582 ${at(196)} 574Z`,
      night,
    ) +
    line(`M${at(206)} 573C${at(244)} 564 ${at(286)} 560 ${at(312)} 565`, light, 6) +
    ellipse(
      [at(264), 570],
      [230, 120],
      radial([0, light, 0.9], [0.18, glow, 0.5], [1, glow, 0]),
      'style="mix-blend-mode:screen"',
    ) +
    ellipse(
      [at(280), 720],
      [300, 50],
      radial([0, glow, 0.5], [1, glow, 0]),
      'style="mix-blend-mode:screen"',
    )
  );
}

/** A car from the front with its lights on. */
export function carFront(canvas: Canvas): string {
  const { night, light, hot, linear, blurred, deep, body } = canvas;
  const screen = symmetric(
    MIDDLE,
    [0, 432],
    [84, 432, 132, 438, 152, 452],
    [178, 482, 192, 500, 202, 520],
    [100, 528, 60, 530, 0, 530],
  );
  return (
    shadow(canvas, MIDDLE, 400) +
    [-1, 1]
      .map((side) =>
        solid(canvas, box([MIDDLE + side * 286 - 38, 580], [76, 70], 14), [night, night]),
      )
      .join('') +
    solid(canvas, bodyFromFront(), [hot, deep]) +
    path(screen, linear('down', [0, body], [0.5, night], [1, deep])) +
    path('M560 436L620 436L540 524L470 514Z', light, `opacity=".2" ${blurred(5)}`) +
    line('M480 528C540 560 740 560 800 528', light, 2.5, 'opacity=".5"') +
    line(
      'M530 538C546 570 556 590 560 606M750 538C734 570 724 590 720 606',
      night,
      3,
      'opacity=".5"',
    ) +
    path(symmetric(MIDDLE, [0, 598], [110, 598], [150, 602], [166, 622], [0, 624]), night) +
    times(5, (index) =>
      line(`M${500 + index * 5} ${603 + index * 4}H${780 - index * 5}`, body, 2, 'opacity=".8"'),
    ) +
    [-1, 1]
      .map((side) =>
        path(
          `M${MIDDLE + side * 196} 600L${MIDDLE + side * 296} 594L${MIDDLE + side * 280} 618L${MIDDLE + side * 206} 620Z`,
          night,
        ),
      )
      .join('') +
    [-1, 1]
      .map((side) =>
        solid(
          canvas,
          `M${MIDDLE + side * 226} 500l${side * 46} -16q${side * 14} 0 ${side * 12} 14l${side * -6} 12l${side * -40} 4Z`,
          [hot, deep],
        ),
      )
      .join('') +
    headlight(canvas, -1) +
    headlight(canvas, 1)
  );
}

/** A car from behind, with one bar of light across it. */
export function carRear(canvas: Canvas): string {
  const { night, light, hot, glow, linear, blurred, deep, body } = canvas;
  const window = symmetric(
    MIDDLE,
    [0, 434],
    [80, 434, 124, 440, 144, 454],
    [164, 482, 172, 496, 180, 512],
    [0, 518],
  );
  const bar = 'M330 560C420 548 860 548 950 560L946 574C860 564 420 564 334 574Z';
  return (
    shadow(canvas, MIDDLE, 400) +
    [-1, 1]
      .map((side) =>
        solid(canvas, box([MIDDLE + side * 284 - 46, 576], [92, 74], 14), [night, night]),
      )
      .join('') +
    solid(canvas, bodyFromFront(), [body, deep]) +
    path(window, linear('down', [0, deep], [1, night])) +
    times(6, (index) =>
      line(`M${520 - index * 8} ${458 + index * 10}H${760 + index * 8}`, body, 2, 'opacity=".7"'),
    ) +
    solid(canvas, 'M318 516C420 500 860 500 962 516L956 530C860 518 420 518 324 530Z', [
      hot,
      night,
    ]) +
    path(bar, hot, blurred(20)) +
    path(bar, hot, blurred(8)) +
    path(bar, linear('right', [0, hot], [0.5, light], [1, hot])) +
    path(symmetric(MIDDLE, [0, 592], [150, 592], [190, 624], [0, 626]), night) +
    [-1, 1]
      .map((side) =>
        circle(
          MIDDLE + side * 62,
          622,
          19,
          canvas.radial([0, night], [0.7, night], [0.8, glow], [1, body]),
        ),
      )
      .join('')
  );
}

/** A small round vintage car, heading left. */
export function roadster(canvas: Canvas): string {
  const { light, glow, hot, body, night, deep, linear } = canvas;
  const outline =
    'M300 616C286 560 316 536 372 530C450 520 520 516 586 514C640 520 700 520 760 514C850 506 930 520 972 560C992 582 990 606 982 618C978 626 970 628 960 628H316C308 628 302 624 300 616Z';
  return (
    shadow(canvas, 640, 400) +
    line('M560 516L602 448L612 516', light, 6) +
    path('M566 512L602 450L609 514Z', light, 'opacity=".3"') +
    solid(canvas, 'M690 520C690 482 742 472 756 518Z', [body, night]) +
    solid(canvas, outline, [glow, hot]) +
    line('M330 566C500 546 760 546 962 568', light, 3, 'opacity=".7"') +
    line(
      'M600 520C596 560 602 600 612 626M760 516C770 560 768 600 762 626',
      deep,
      2.5,
      'opacity=".5"',
    ) +
    path('M392 626C392 560 436 542 470 542S540 562 544 626Z', night) +
    path('M800 626C800 560 842 542 876 542S942 562 946 626Z', night) +
    wheel(canvas, 468, 62) +
    wheel(canvas, 874, 62) +
    solid(canvas, 'M284 612h80v14h-80Z', [light, body]) +
    circle(322, 560, 22, linear('slant', [0, light], [1, glow])) +
    ellipse([318, 560], [120, 70], canvas.radial([0, light, 0.7], [0.3, glow, 0.35], [1, glow, 0]))
  );
}
