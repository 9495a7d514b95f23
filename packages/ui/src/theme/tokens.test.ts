import { describe, expect, it } from 'vitest';
import { brand } from '@athos/brand/brand';
import type { ThemeColourName } from '@athos/brand/types';
import { balanceSizePx } from '../money/balance.tsx';
import { PERSON_COLOURS } from '../primitives/avatar.tsx';
import { contrast, wantsDarkInk } from '@athos/domain/colour';
import { darkEnoughToScan } from './colour.ts';
import css from '../tokens.css?raw';

const TEXT_MIN = 4.5;
const CONTROL_MIN = 3;

/** Every pair of text and background colour that a component uses. */
const TEXT_PAIRS: [ink: ThemeColourName, ground: ThemeColourName][] = [
  ...(['ground', 'surface', 'surfaceRaised', 'surfaceSunken'] as const).flatMap(
    (ground): [ThemeColourName, ThemeColourName][] => [
      ['ink', ground],
      ['inkQuiet', ground],
      ['accentText', ground],
      ['danger', ground],
      ['success', ground],
    ],
  ),
  ['ink', 'line'],
  ['primaryInk', 'primary'],
  ['dangerSolidInk', 'dangerSolid'],
  ...(['success', 'danger', 'info'] as const).flatMap(
    (kind): [ThemeColourName, ThemeColourName][] => [
      [kind, `${kind}Surface`],
      ['ink', `${kind}Surface`],
    ],
  ),
  ['info', 'surfaceRaised'],
];

/** Borders of controls, meaningful graphics and the focus ring. */
const CONTROL_PAIRS: [colour: ThemeColourName, ground: ThemeColourName][] = [
  ...(['ground', 'surface', 'surfaceRaised'] as const).flatMap(
    (ground): [ThemeColourName, ThemeColourName][] => [
      ['lineStrong', ground],
      ['accent', ground],
      ['focus', ground],
      ['primary', ground],
      ['dangerSolid', ground],
    ],
  ),
  ['surface', 'success'],
];

const camelCase = (token: string): ThemeColourName =>
  token.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()) as ThemeColourName;

it('gives people one of eight colours', () => expect(new Set(PERSON_COLOURS).size).toBe(8));

describe.each(['light', 'dark'] as const)('colours in %s', (theme) => {
  const colours = brand.colours[theme];

  it.each(PERSON_COLOURS)(
    'have the initial of a person with %s at a contrast of 4.5:1',
    (names) => {
      const [, ground = '', ink = ''] = /^bg-(\S+) text-(\S+)$/.exec(names) ?? [];
      const ratio = contrast(colours[camelCase(ink)], colours[camelCase(ground)]);
      expect(ratio).toBeGreaterThanOrEqual(TEXT_MIN);
    },
  );

  it.each(TEXT_PAIRS)('have %s on %s at a contrast of 4.5:1', (ink, ground) => {
    expect(contrast(colours[ink], colours[ground])).toBeGreaterThanOrEqual(TEXT_MIN);
  });

  it.each(CONTROL_PAIRS)('have %s against %s at a contrast of 3:1', (colour, ground) => {
    expect(contrast(colours[colour], colours[ground])).toBeGreaterThanOrEqual(CONTROL_MIN);
  });
});

describe('font sizes of amounts', () => {
  const pxOf = (name: string) => {
    const [, rem] = new RegExp(`--text-${name}: (?:min\\()?([\\d.]+)rem[;,]`).exec(css) ?? [];
    return Number(rem) * 16;
  };

  it.each([17, 16, 15, 13])(
    '[S9-017] show the cart price of text-price-%i in that many px',
    (px) => {
      expect(pxOf(`price-${px}`)).toBe(px);
    },
  );

  it.each([7, 10, 13, 14])(
    '[S9-016] show a balance of %i digits in the size that its class names',
    (digitCount) => {
      const px = balanceSizePx(digitCount);
      expect(pxOf(`balance-${px}`)).toBe(px);
    },
  );

  it("follow the browser's default: a rem stays 16 px", () => {
    expect(css).not.toMatch(/(html|:root)[^{]*\{[^}]*font-size/);
  });
});

describe('the balance card', () => {
  const { card } = brand.colours;

  it.each(['ink', 'inkQuiet'] as const)('has readable %s on both ends of its gradient', (ink) => {
    expect(contrast(card[ink], card.from)).toBeGreaterThanOrEqual(TEXT_MIN);
    expect(contrast(card[ink], card.to)).toBeGreaterThanOrEqual(TEXT_MIN);
  });

  it('has a readable badge and buttons that stand out from the gradient', () => {
    expect(contrast(card.from, card.ink)).toBeGreaterThanOrEqual(TEXT_MIN);
    expect(contrast(card.ink, card.to)).toBeGreaterThanOrEqual(CONTROL_MIN);
  });
});

describe('colours of tiers and tokens', () => {
  const { card, tiers } = brand.colours;

  it.each(tiers)('have readable ink on tier %s', (tier) => {
    expect(contrast(wantsDarkInk(tier) ? card.ink : card.paper, tier)).toBeGreaterThanOrEqual(
      TEXT_MIN,
    );
  });

  it.each(brand.tokens.map((token) => [token.symbol, token] as const))(
    'distinguish the icon of %s from its disc',
    (_, token) => {
      expect(contrast(token.glyphColour, token.discColour)).toBeGreaterThanOrEqual(CONTROL_MIN);
    },
  );

  it.each([...tiers, '#ffffff', '#ffff00', '#7fffd4', '#fff'])(
    '[D-117] darkens %s until a camera reads it on white',
    (tier) => {
      expect(contrast(darkEnoughToScan(tier), '#ffffff')).toBeGreaterThanOrEqual(TEXT_MIN);
    },
  );

  it('does not change a colour that is dark enough', () => {
    expect(darkEnoughToScan('#2b2433')).toBe('#2b2433');
  });
});
