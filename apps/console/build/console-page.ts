/** Fills in the page and its icon from the brand and the messages, as the scanner's build does. */
import { brand } from '@athos/brand/brand';
import { drawIcon } from '@athos/brand/icon-svg';
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

/** The mark on a dark ground, so that the console's tab cannot be mistaken for the wallet's. */
const icon = (): string =>
  drawIcon(brand, { markPart: 0.5, cornerPart: 0.2, ground: light.ink, mark: dark.accent });

const files = {
  'icon.svg': { type: 'image/svg+xml', content: icon },
  // A separate file, because the console's policy allows no inline script.
  'theme.js': { type: 'text/javascript', content: () => themeScript },
};

export const consolePage = (): Plugin => pagePlugin({ base: `${BASE}/`, slots, files });
