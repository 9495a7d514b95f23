/** Fills in the page, its icon and its manifest from the brand and the messages, as the wallet's build does. */
import { brand } from '@athos/brand/brand';
import { drawIcon } from '@athos/brand/icon-svg';
import { m } from '@athos/messages/messages';
import type { Plugin } from 'vite';
import { pagePlugin } from '@athos/app-build/page-plugin';

const BASE = '/scanner';
const { light, dark } = brand.colours;
const title = m.scanner_app_document_title({ brand: brand.name });

const slots = {
  title,
  'ground-light': light.ground,
  'ground-dark': dark.ground,
  noscript: m.scanner_app_no_script(),
  icon: `${BASE}/icon.svg`,
  manifest: `${BASE}/manifest.webmanifest`,
};

/** The wallet's mark with inverted colours, so the two apps are distinguishable on a home screen. */
const icon = (): string =>
  drawIcon(brand, { markPart: 0.5, cornerPart: 0, ground: dark.accent, mark: dark.ground });

function manifest(): string {
  return JSON.stringify({
    id: BASE,
    name: title,
    short_name: m.scanner_app_short_name(),
    start_url: BASE,
    scope: BASE,
    display: 'standalone',
    background_color: dark.ground,
    theme_color: dark.ground,
    icons: [{ src: `${BASE}/icon.svg`, type: 'image/svg+xml', sizes: 'any', purpose: 'any' }],
  });
}

const files = {
  'icon.svg': { type: 'image/svg+xml', content: icon },
  'manifest.webmanifest': { type: 'application/manifest+json', content: manifest },
};

export const scannerPage = (): Plugin => pagePlugin({ base: `${BASE}/`, slots, files });
