import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brand } from './brand.ts';
import { ICON_FILES } from './icon-files.ts';
import { iconSvg } from './icon-svg.ts';

const PNG_SIGNATURE = '89504e470d0a1a0a';

it.each(ICON_FILES)('[D-111] has the icon $name with a side of $sidePx px', ({ name, sidePx }) => {
  const png = readFileSync(join(import.meta.dirname, '../icons', name));
  expect(png.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([sidePx, sidePx]);
});

it('keeps the mark of the full icon inside the safe zone', () => {
  const svg = iconSvg(brand, 'full');
  const side = Number(/viewBox="0 0 ([\d.]+)/.exec(svg)?.[1]);
  // The farthest point of the mark is at most a corner of its square.
  expect((brand.logo.viewBoxSide / 2) * Math.SQRT2).toBeLessThanOrEqual(side * 0.4);
  expect(svg).toContain('rx="0"');
});
