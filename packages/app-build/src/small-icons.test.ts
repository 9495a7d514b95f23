import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { iconCode } from './small-icons.ts';

const require = createRequire(import.meta.url);
const fileOf = (name: string): string =>
  readFileSync(require.resolve(`lucide-react/icons/${name}`), 'utf8');

it.each([
  ['x', '[["path", { d: "M18 6 6 18" }],["path", { d: "m6 6 12 12" }]]'],
  ['check', '[["path", { d: "M20 6 9 17l-5-5" }]]'],
  [
    'circle-x',
    '[["circle", { cx: "12", cy: "12", r: "10" }],["path", { d: "m15 9-6 6" }],["path", { d: "m9 9 6 6" }]]',
  ],
])('keeps the shapes of %s and nothing else of Lucide', (name, shapes) => {
  expect(iconCode(fileOf(name))?.replaceAll(/\n\s*/g, '')).toBe(
    `import { createIcon } from '@athos/ui/primitives/icon';export default /* @__PURE__ */ createIcon(${shapes});`,
  );
});

it('leaves a second name of an icon alone', () => {
  expect(iconCode(fileOf('circle-alert'))).toBeUndefined();
});

it('fails on a file that is written in another way', () => {
  expect(() => iconCode('export default drawn;')).toThrow('Not an icon');
});
