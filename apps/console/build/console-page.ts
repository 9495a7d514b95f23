/** Fills in the page and its icon from the brand and the messages, as the scanner's build does. */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import type { Plugin } from 'vite';
import { pagePlugin } from '@athos/app-build/page-plugin';
import { themeScript } from '@athos/app-build/theme-script';

const BASE = '/console';
const { light, dark } = brand.colours;

const slots = {
  title: m.console_document_title({ brand: brand.name }),
  'ground-light': light.ground,
  'ground-dark': dark.ground,
  noscript: m.console_no_script(),
  icon: `${BASE}/icon.svg`,
  'theme-script': `${BASE}/theme.js`,
};

/** The mark on ink, so that the console's tab is not taken for the wallet's. */
function icon(): string {
  const { viewBoxSide, paths } = brand.logo;
  const side = viewBoxSide * 2;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" rx="${side / 5}" fill="${light.ink}"/>` +
    `<g transform="translate(${viewBoxSide / 2} ${viewBoxSide / 2})" fill="${dark.accent}" fill-rule="evenodd">` +
    `${marks}</g></svg>`
  );
}

const files = {
  'icon.svg': { type: 'image/svg+xml', content: icon },
  // A file of its own, because the console's policy allows no inline script.
  'theme.js': { type: 'text/javascript', content: () => themeScript },
};

export const consolePage = (): Plugin => pagePlugin({ base: `${BASE}/`, slots, files });
