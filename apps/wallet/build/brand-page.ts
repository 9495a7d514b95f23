/** Fills the page, its icon and its manifest from the brand folder and the messages: no file of this app names the brand. */
import { brand } from '@athos/brand/brand';
import { ICON_FILES } from '@athos/brand/icon-files';
import { iconSvg } from '@athos/brand/icon-svg';
import { m } from '@athos/messages/messages';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { themeScript } from './theme-script.ts';

const { light, dark } = brand.colours;
/** Named by the page; the manifest has icons of its own for it. */
const TOUCH_ICON = 'apple-touch-icon.png';

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Hashed, so that it is kept for good like every asset. */
const themeScriptPath = `/assets/theme-${createHash('sha256').update(themeScript).digest('hex').slice(0, 8)}.js`;

const slots: Record<string, string> = {
  title: brand.programmeName,
  description: `${m.auth_welcome_title({ programme: brand.programmeName })}. ${m.auth_welcome_text()}`,
  'ground-light': light.ground,
  'ground-dark': dark.ground,
  noscript: m.shell_no_script(),
  'theme-script': themeScriptPath,
  'touch-icon': `/icons/${TOUCH_ICON}`,
  'short-name': brand.name,
};

function manifest(): string {
  return JSON.stringify({
    id: '/',
    name: brand.programmeName,
    short_name: brand.name,
    description: slots['description'],
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

const files: Record<string, { type: string; content: () => string | Buffer }> = {
  '/icon.svg': { type: 'image/svg+xml', content: () => iconSvg(brand, 'rounded') },
  ...Object.fromEntries(
    ICON_FILES.map(({ name }) => [
      `/icons/${name}`,
      { type: 'image/png', content: () => iconFile(name) },
    ]),
  ),
  [themeScriptPath]: { type: 'text/javascript', content: () => themeScript },
  '/manifest.webmanifest': { type: 'application/manifest+json', content: manifest },
};

export function brandPage(): Plugin {
  return {
    name: 'brand-page',
    transformIndexHtml: (html) =>
      html.replaceAll(/%([a-z-]+)%/g, (slot, name: string) => {
        const text = slots[name];
        if (text === undefined) throw new Error(`index.html: nothing fills ${slot}`);
        return escapeHtml(text);
      }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files[request.url ?? ''];
        if (file === undefined) return next();
        response.setHeader('content-type', file.type);
        response.end(file.content());
      });
    },
    generateBundle() {
      for (const [path, file] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: file.content() });
      }
    },
  };
}
