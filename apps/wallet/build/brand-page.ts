/**
 * Fills in the page, its icons and its manifest from the brand and the messages, so no file of this app names the
 * brand.
 */
import { brand } from '@athos/brand/brand';
import { ICON_FILES } from '@athos/brand/icon-files';
import { iconSvg } from '@athos/brand/icon-svg';
import { m } from '@athos/messages/messages';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { pagePlugin } from '@athos/app-build/page-plugin';
import { criticalCss, fileSlots, headScript, shellHtml, splashHtml } from './early-start.ts';

const { light, dark } = brand.colours;
/** Used by the page only; the manifest lists other icons. */
const TOUCH_ICON = 'apple-touch-icon.png';

const slots = {
  title: brand.programmeName,
  description: `${m.auth_welcome_title({ programme: brand.programmeName })}. ${m.auth_welcome_text()}`,
  'ground-light': light.ground,
  'ground-dark': dark.ground,
  noscript: m.shell_no_script(),
  'touch-icon': `/icons/${TOUCH_ICON}`,
  'short-name': brand.name,
};

function manifest(): string {
  return JSON.stringify({
    id: '/',
    name: brand.programmeName,
    short_name: brand.name,
    description: slots.description,
    start_url: '/app',
    scope: '/',
    lang: 'en',
    dir: 'ltr',
    display: 'standalone',
    orientation: 'any',
    categories: ['finance', 'shopping', 'lifestyle'],
    background_color: dark.ground,
    theme_color: dark.ground,
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      ...ICON_FILES.filter(({ name }) => name !== TOUCH_ICON).map(({ name, shape, sidePx }) => ({
        src: `/icons/${name}`,
        type: 'image/png',
        sizes: `${sidePx}x${sidePx}`,
        purpose: shape === 'full' ? 'maskable' : 'any',
      })),
    ],
    shortcuts: [
      { name: m.wallet_send(), url: '/app/send' },
      { name: m.purchases_title(), url: '/app/my-purchases' },
      { name: m.wallet_account_title(), url: '/app/wallet' },
    ].map((shortcut) => ({
      ...shortcut,
      icons: [{ src: '/icons/icon-192.png', type: 'image/png', sizes: '192x192' }],
    })),
  });
}

const iconFile = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../../packages/brand/icons', name));

const files = {
  'icon.svg': { type: 'image/svg+xml', content: () => iconSvg(brand, 'rounded') },
  ...Object.fromEntries(
    ICON_FILES.map(({ name }) => [
      `icons/${name}`,
      { type: 'image/png', content: () => iconFile(name) },
    ]),
  ),
  'manifest.webmanifest': { type: 'application/manifest+json', content: manifest },
};

export async function brandPage(): Promise<Plugin> {
  const splash = await splashHtml();
  const shell = await shellHtml();
  return pagePlugin({
    base: '/',
    slots,
    htmlSlots: { splash, shell },
    fileSlots,
    files,
    headScript: await headScript(),
    criticalCss: await criticalCss(splash + shell),
  });
}
