import { THEME_COLOUR_NAMES } from './types.ts';
import type { BrandColours } from './types.ts';

const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Writes the brand's colours as CSS variables, with both themes in one value. The device decides, unless `data-theme`
 * on the root element is `light` or `dark`.
 */
export function themeCss(colours: BrandColours): string {
  const themed = THEME_COLOUR_NAMES.map(
    (name) =>
      `  --brand-${kebab(name)}: light-dark(${colours.light[name]}, ${colours.dark[name]});`,
  );
  const card = Object.entries(colours.card).map(
    ([name, colour]) => `  --brand-card-${kebab(name)}: ${colour};`,
  );
  const verdict = Object.entries(colours.verdict).map(
    ([name, colour]) => `  --brand-verdict-${name}: ${colour};`,
  );
  const tiers = colours.tiers.map((colour, index) => `  --brand-tier-${index + 1}: ${colour};`);
  return [
    '/* Written by `npm run theme -w packages/brand` from src/colours.ts. */',
    ':root {',
    '  color-scheme: light dark;',
    ...themed,
    ...card,
    ...verdict,
    ...tiers,
    '}',
    '',
    ":root[data-theme='light'] {",
    '  color-scheme: light;',
    '}',
    '',
    ":root[data-theme='dark'] {",
    '  color-scheme: dark;',
    '}',
    '',
  ].join('\n');
}
