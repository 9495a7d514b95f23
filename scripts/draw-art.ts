/** Draws the demo catalogue's pictures: one style, flat shapes on two-colour grounds. Run it after a change here and commit what it writes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoCategories, demoOffers } from '../apps/api/src/seed/demo-catalog.ts';

const OUT_DIR = join(import.meta.dirname, '../apps/wallet/public/art');
const WIDTH = 640;
const HEIGHT = 480;

interface Palette {
  readonly ground: string;
  readonly far: string;
  readonly near: string;
  readonly dark: string;
  readonly light: string;
}

const PALETTES = {
  amber: { ground: '#ffb457', far: '#ff9145', near: '#ff6b4a', dark: '#2a1220', light: '#fff1dc' },
  violet: { ground: '#4b2a8c', far: '#6a3fc0', near: '#b79cff', dark: '#170b33', light: '#f4eeff' },
  teal: { ground: '#0d6b66', far: '#12908a', near: '#5fd0c5', dark: '#052624', light: '#e8fbf8' },
  coral: { ground: '#ff7a5c', far: '#ff9b7d', near: '#ffd0a6', dark: '#3d0f1c', light: '#fff3ea' },
  aubergine: {
    ground: '#2a1838',
    far: '#43275a',
    near: '#ff8a50',
    dark: '#120d18',
    light: '#ffe3c2',
  },
  paper: { ground: '#f2e3cf', far: '#e8cfae', near: '#d94c22', dark: '#2a1838', light: '#fffaf2' },
} as const satisfies Record<string, Palette>;

type Random = () => number;
type Motif = (palette: Palette, random: Random) => string;

/** Numbers from 0 to 1, the same for the same word (mulberry32). */
function randomFrom(word: string): Random {
  let state = Buffer.from(word).reduce((sum, byte) => (sum * 31 + byte) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const between = (random: Random, low: number, high: number): number =>
  Math.round(low + random() * (high - low));
const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');
const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const faded = (opacity: number, shape: string): string => `<g opacity="${opacity}">${shape}</g>`;

/** A bottle that stands on y = 480, `tall` high. */
function bottle(x: number, tall: number, fill: string, label: string): string {
  const top = HEIGHT - tall;
  return (
    path(
      `M${x - 13} ${top}h26v${tall * 0.24}c0 26 31 34 31 74V${HEIGHT}h-88V${top + tall * 0.24 + 74}c0-40 31-48 31-74Z`,
      fill,
    ) +
    `<rect x="${x - 16}" y="${top - 12}" width="32" height="20" rx="6" fill="${label}"/>` +
    `<rect x="${x - 44}" y="${HEIGHT - tall * 0.42}" width="88" height="${tall * 0.22}" fill="${label}"/>`
  );
}

const drinks: Motif = ({ far, near, dark, light }, random) => {
  const x = between(random, 250, 390);
  return (
    circle(x, 250, 190, far) +
    circle(x, 250, 132, near) +
    bottle(x - 118, between(random, 230, 290), dark, near) +
    bottle(x + 8, between(random, 330, 380), dark, light) +
    bottle(x + 132, between(random, 250, 310), dark, far) +
    times(9, () =>
      faded(
        0.7,
        circle(between(random, 40, 600), between(random, 30, 300), between(random, 4, 13), light),
      ),
    )
  );
};

const music: Motif = ({ far, near, dark, light }, random) => {
  const x = between(random, 220, 420);
  const y = between(random, 150, 200);
  return (
    times(6, (index) => faded(0.35, circle(x, y, 330 - index * 50, index % 2 === 0 ? far : near))) +
    circle(x, y, 58, light) +
    circle(x, y, 14, dark) +
    times(16, (index) => {
      const height = between(random, 50, 210);
      return `<rect x="${index * 40 + 7}" y="${HEIGHT - height}" width="26" height="${height + 20}" rx="13" fill="${dark}"/>`;
    })
  );
};

const cars: Motif = ({ far, near, dark, light }, random) => {
  const sun = between(random, 180, 460);
  const peak = between(random, 120, 520);
  return (
    circle(sun, 196, 120, near) +
    faded(0.85, circle(sun, 196, 84, light)) +
    path(`M-20 300 ${peak - 190} 210l${70} 30 ${120}-96 ${150} 120 ${90}-30 260 66v60H-20Z`, far) +
    path(`M-20 300H660V500H-20Z`, dark) +
    faded(0.8, path('M308 300h24l150 180H158Z', far)) +
    path('M317 312h6l4 34h-14ZM312 366h16l6 44h-28ZM303 432h34l9 50h-52Z', light) +
    // Low, wide and going left.
    path(
      'M112 424c10-30 62-38 104-42 34-26 78-40 128-36 44 2 78 16 108 40 40 2 78 12 80 40v18c0 6-4 10-10 10H122c-8 0-14-8-10-30Z',
      near,
    ) +
    path('M236 382c26-18 60-26 96-24l8 26Zm122-22c30 4 52 12 72 26l-64-2Z', dark) +
    [196, 450]
      .map((x) => circle(x, 448, 38, dark) + circle(x, 448, 17, light) + circle(x, 448, 6, dark))
      .join('')
  );
};

const tickets: Motif = ({ far, near, dark, light }, random) => {
  const ticket = (fill: string, turn: number, shift: number): string =>
    `<g transform="translate(${320 + shift} ${240 + shift / 2}) rotate(${turn})">` +
    path(
      'M-190-100h380c8 0 14 6 14 14v50a36 36 0 0 0 0 72v50c0 8-6 14-14 14h-380c-8 0-14-6-14-14v-50a36 36 0 0 0 0-72v-50c0-8 6-14 14-14Z',
      fill,
    ) +
    `<path d="M84-92V92" stroke="${dark}" stroke-width="6" stroke-dasharray="2 16" stroke-linecap="round" opacity=".6"/></g>`;
  const turn = between(random, -16, -6);
  return (
    times(7, (index) =>
      faded(0.5, circle(between(random, 0, 640), index * 80, between(random, 30, 90), far)),
    ) +
    ticket(dark, turn + 14, 26) +
    ticket(near, turn, 0) +
    `<g transform="translate(320 240) rotate(${turn})" fill="none" stroke="${dark}" stroke-width="18" stroke-linecap="round"><path d="M-116 48 0-48"/><circle cx="-104" cy="-36" r="21"/><circle cx="-12" cy="36" r="21"/></g>` +
    circle(between(random, 500, 580), between(random, 60, 110), 34, light)
  );
};

const gear: Motif = ({ far, near, dark, light }, random) => {
  const lean = between(random, -9, 9);
  return (
    `<rect x="-20" y="356" width="680" height="140" fill="${far}"/>` +
    circle(between(random, 140, 500), 190, 150, far) +
    `<g transform="rotate(${lean} 320 300)">` +
    path(
      'M236 150c0-18 12-30 30-30h108c18 0 30 12 30 30v236c0 22-14 36-36 36h-96c-22 0-36-14-36-36Z',
      near,
    ) +
    `<rect x="270" y="70" width="100" height="62" rx="16" fill="${dark}"/>` +
    faded(0.75, path('M258 158c0-10 4-16 14-16h8v262h-6c-10 0-16-6-16-16Z', light)) +
    path('m320 216-44 88 28-10 16 34 18-30 20 34 10-38 24 8Z', dark) +
    '</g>' +
    `<ellipse cx="320" cy="436" rx="150" ry="15" fill="${dark}" opacity=".35"/>`
  );
};

const crew: Motif = ({ far, near, dark, light }, random) =>
  times(5, (index) => {
    const x = 64 + index * 128;
    const y = between(random, 176, 256);
    const isMiddle = index === 2;
    const fill = [dark, far, near, far, dark][index] ?? dark;
    return (
      path(`M${x - 96} 500v-92c0-60 42-96 96-96s96 36 96 96v92Z`, fill) +
      circle(x, y, isMiddle ? 74 : 62, isMiddle ? light : near) +
      path(`M${x - 26} ${y + 8}a26 26 0 0 0 52 0Z`, dark)
    );
  }) +
  times(6, () =>
    circle(between(random, 20, 620), between(random, 20, 110), between(random, 6, 16), light),
  );

interface Style {
  readonly motif: Motif;
  readonly palettes: readonly (keyof typeof PALETTES)[];
}

const STYLES: Readonly<Record<number, Style>> = {
  1: { motif: drinks, palettes: ['amber', 'coral', 'paper'] },
  2: { motif: music, palettes: ['violet', 'aubergine', 'teal', 'coral'] },
  3: { motif: cars, palettes: ['teal', 'amber', 'aubergine'] },
  4: { motif: tickets, palettes: ['coral', 'violet', 'teal', 'paper'] },
  5: { motif: gear, palettes: ['paper', 'teal', 'amber', 'violet'] },
  6: { motif: crew, palettes: ['aubergine', 'amber', 'violet', 'coral'] },
  7: { motif: drinks, palettes: ['aubergine', 'violet', 'coral'] },
  8: { motif: drinks, palettes: ['teal', 'paper', 'coral'] },
  9: { motif: music, palettes: ['teal', 'amber', 'violet'] },
  10: { motif: cars, palettes: ['aubergine', 'coral', 'violet'] },
};

function draw(name: string, categoryId: number, index: number): string {
  const style = STYLES[categoryId];
  if (style === undefined) throw new Error(`category ${categoryId} has no style`);
  const palette = PALETTES[style.palettes[index % style.palettes.length] ?? 'amber'];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>${style.motif(palette, randomFrom(name))}</svg>\n`;
}

/** `/art/<name>.svg` as the catalogue names it. */
const nameOf = (address: string): string => address.replace(/^\/art\/|\.svg$/g, '');

mkdirSync(OUT_DIR, { recursive: true });
for (const { id, banner_url: address } of demoCategories) {
  const name = nameOf(address);
  writeFileSync(join(OUT_DIR, `${name}.svg`), draw(name, id, 0));
}
for (const { category_id: categoryId, position, img } of demoOffers) {
  const name = nameOf(img);
  // The first picture of a palette is the category's own.
  writeFileSync(join(OUT_DIR, `${name}.svg`), draw(name, categoryId, position + 1));
}
