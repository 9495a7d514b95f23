/** The shared lighting that makes the pictures a series: the same low backlight, dark floor and rim light. */
import {
  circle,
  ellipse,
  faded,
  GROUND,
  group,
  HEIGHT,
  MIDDLE,
  line,
  path,
  times,
  WIDTH,
  type Canvas,
} from './svg.ts';

/** A solid object: a dark core, with the backlight on its left and right edges. */
export function solid(
  canvas: Canvas,
  outline: string,
  [edge, core]: readonly [string, string] = [canvas.body, canvas.deep],
): string {
  const { linear, within, blurred, light, hot } = canvas;
  return (
    path(outline, linear('right', [0, edge], [0.45, core], [1, edge])) +
    group(
      within(outline),
      line(outline, hot, 26, `opacity=".55" ${blurred(11)}`),
      line(outline, light, 7, `opacity=".7" ${blurred(3)}`),
      path(
        outline,
        linear(
          'down',
          [0, light, 0.16],
          [0.3, light, 0],
          [0.8, canvas.night, 0],
          [1, canvas.night, 0.5],
        ),
      ),
    )
  );
}

/** Clear glass: transparent, with bright edges and one long highlight. */
export function glass(canvas: Canvas, outline: string, tint = canvas.light): string {
  const { linear, within, blurred, light, night } = canvas;
  return (
    // Keeps it visible on a bright ground.
    line(outline, night, 9, `opacity=".5" ${blurred(3)}`) +
    path(
      outline,
      linear('right', [0, tint, 0.42], [0.2, tint, 0.1], [0.7, tint, 0.05], [1, tint, 0.36]),
    ) +
    group(within(outline), line(outline, light, 10, `opacity=".85" ${blurred(3)}`)) +
    line(outline, light, 1.6, 'opacity=".45"')
  );
}

/** A light source with its halo. */
export const lamp = (canvas: Canvas, x: number, y: number, radius: number): string =>
  circle(
    x,
    y,
    radius * 5,
    canvas.radial([0, canvas.glow, 0.55], [0.35, canvas.hot, 0.2], [1, canvas.hot, 0]),
  ) + circle(x, y, radius, canvas.light);

/** A shaft of light that widens from a point downwards. */
export function beam(
  canvas: Canvas,
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  spread: number,
): string {
  const fill = canvas.linear(
    'down',
    [0, canvas.light, 0.75],
    [0.25, canvas.glow, 0.42],
    [1, canvas.hot, 0],
  );
  return path(
    `M${x - 6} ${y}L${toX - spread} ${toY}L${toX + spread} ${toY}L${x + 6} ${y}Z`,
    fill,
    `${canvas.blurred(7)} style="mix-blend-mode:screen"`,
  );
}

/** The soft shadow where an object touches the floor. */
export const shadow = (canvas: Canvas, x: number, reach: number, y = GROUND): string =>
  ellipse([x, y + 2], [reach, reach * 0.075], canvas.night, `opacity=".8" ${canvas.blurred(10)}`);

/** The sun of the series: a large, low disc behind the objects. */
export function sun(canvas: Canvas, x: number, y: number, radius: number): string {
  const { radial, linear, glow, hot, light } = canvas;
  return (
    circle(x, y, radius * 2.5, radial([0, glow, 0.5], [0.45, hot, 0.22], [1, hot, 0])) +
    circle(x, y, radius, linear('down', [0, light], [0.35, glow], [1, hot]))
  );
}

/** A niche in a wall, lit from within. */
export function arch(canvas: Canvas, x: number, width: number, top: number): string {
  const { linear, radial, night, deep, glow, hot, light } = canvas;
  const half = width / 2;
  const inside = `M${x - half} ${GROUND}V${top + half}A${half} ${half} 0 0 1 ${x + half} ${top + half}V${GROUND}Z`;
  return (
    path(inside, linear('down', [0, deep], [0.55, hot], [1, glow])) +
    group(
      canvas.within(inside),
      ellipse(
        [x, GROUND],
        [width * 0.7, (GROUND - top) * 0.62],
        radial([0, light, 0.75], [0.5, glow, 0.35], [1, glow, 0]),
      ),
      line(inside, night, 34, `opacity=".55" ${canvas.blurred(14)}`),
    ) +
    line(inside, light, 2.5, 'opacity=".35"')
  );
}

/** Lights out of focus, in front of everything or far behind it. */
export const bokeh = (
  canvas: Canvas,
  count: number,
  [low, high]: readonly [number, number] = [60, 420],
): string =>
  times(count, () => {
    const radius = canvas.between(7, 30);
    return faded(
      canvas.between(10, 34) / 100,
      circle(
        canvas.between(20, WIDTH - 20),
        canvas.between(low, high),
        radius,
        canvas.radial([0, canvas.light, 0.5], [0.8, canvas.glow, 0.6], [1, canvas.glow, 0]),
      ),
    );
  });

/** Hills in layers, paler with distance. */
export const hills = (canvas: Canvas, tops: readonly number[]): string =>
  tops
    .map((top, index) => {
      const shift = canvas.between(-120, 120);
      const fill = canvas.linear(
        'down',
        [0, index === 0 ? canvas.body : canvas.deep, 0.55 + index * 0.15],
        [1, canvas.night],
      );
      return path(
        `M-20 ${GROUND + 8}V${top + 50}C${180 + shift} ${top - 30} ${300 + shift} ${top + 70} ${520 + shift} ${top + 24}S${820 + shift} ${top - 70} ${1010 + shift} ${top + 16}S1240 ${top - 10} 1300 ${top + 30}V${GROUND + 8}Z`,
        fill,
      );
    })
    .join('');

const NEARER = 1.16;

export interface Scene {
  /** Drawn behind the floor's edge. */
  readonly behind?: string;
  /** The main object, which the floor reflects. */
  readonly hero: string;
  /** Drawn in front of the main object, without a reflection. */
  readonly before?: string;
  /** How strongly the floor reflects the main object. */
  readonly gloss?: number;
  readonly light?: readonly [x: number, y: number];
}

/** The whole picture. */
export function compose(
  canvas: Canvas,
  { behind = '', hero, before = '', gloss = 0.3, light: [x, y] = [640, 470] }: Scene,
): string {
  const { linear, radial, night, deep, body, glow, hot } = canvas;
  const wall = linear('down', [0, deep], [0.6, body], [1, hot]);
  const floor = linear('down', [0, body], [0.1, deep], [1, night]);
  const drawn =
    `<rect width="${WIDTH}" height="${GROUND}" fill="${wall}"/>` +
    ellipse([x, y], [760, 430], radial([0, glow, 0.55], [0.4, hot, 0.3], [1, hot, 0])) +
    behind +
    `<rect y="${GROUND}" width="${WIDTH}" height="${HEIGHT - GROUND}" fill="${floor}"/>` +
    ellipse([x, GROUND], [700, 130], radial([0, glow, 0.6], [0.5, hot, 0.26], [1, hot, 0])) +
    `<rect y="${GROUND}" width="${WIDTH}" height="2" fill="${glow}" opacity=".28"/>` +
    group(
      `transform="translate(0 ${GROUND * 2}) scale(1 -1)" opacity="${gloss}" mask="url(#fade)"`,
      group(canvas.blurred(5), '<use href="#hero"/>'),
    ) +
    group('id="hero"', hero) +
    before;
  const shapes =
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${night}"/>` +
    // Enlarged: on a phone a picture is a few centimetres wide.
    group(
      `transform="translate(${MIDDLE} 452) scale(${NEARER}) translate(${-MIDDLE} -452)"`,
      drawn,
    ) +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${radial([0.6, night, 0], [1, night, 0.42])}"/>` +
    `<rect width="${WIDTH}" height="${HEIGHT}" filter="url(#grain)" opacity=".07" style="mix-blend-mode:overlay"/>`;
  const fixed =
    `<linearGradient id="fadeof" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>` +
    `<mask id="fade" maskUnits="userSpaceOnUse" x="0" y="0" width="${WIDTH}" height="${HEIGHT}"><rect y="${GROUND - 150}" width="${WIDTH}" height="150" fill="url(#fadeof)"/></mask>` +
    `<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".9" numOctaves="2" seed="4"/><feColorMatrix type="saturate" values="0"/></filter>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><defs>${fixed}</defs>${canvas.defs()}${shapes}</svg>`;
}
