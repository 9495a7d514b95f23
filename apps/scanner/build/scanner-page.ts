/** Fills the page, its icon and its manifest from the brand folder and the messages, as the wallet's build does for its own. */
import { createHash } from 'node:crypto';
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import type { Plugin } from 'vite';
import { themeScript } from './theme-script.ts';

const BASE = '/scanner';
const { light, dark } = brand.colours;
const title = m.scanner_app_document_title({ brand: brand.name });

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const scriptHash = createHash('sha256').update(themeScript).digest('hex').slice(0, 8);
const themeScriptFile = `assets/theme-${scriptHash}.js`;

const slots: Record<string, string> = {
  title,
  'ground-light': light.ground,
  'ground-dark': dark.ground,
  noscript: m.scanner_app_no_script(),
  'theme-script': `${BASE}/${themeScriptFile}`,
  icon: `${BASE}/icon.svg`,
  manifest: `${BASE}/manifest.webmanifest`,
};

/** The wallet's mark with its colours turned round, so that the two are told apart on a home screen. */
function icon(): string {
  const { viewBoxSide, paths } = brand.logo;
  const side = viewBoxSide * 2;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" fill="${dark.accent}"/>` +
    `<g transform="translate(${viewBoxSide / 2} ${viewBoxSide / 2})" fill="${dark.ground}" fill-rule="evenodd">` +
    `${marks}</g></svg>`
  );
}

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

const files: Record<string, { type: string; text: () => string }> = {
  'icon.svg': { type: 'image/svg+xml', text: icon },
  [themeScriptFile]: { type: 'text/javascript', text: () => themeScript },
  'manifest.webmanifest': { type: 'application/manifest+json', text: manifest },
};

export function scannerPage(): Plugin {
  return {
    name: 'scanner-page',
    transformIndexHtml: (html) =>
      html.replaceAll(/%([a-z-]+)%/g, (slot, name: string) => {
        const text = slots[name];
        if (text === undefined) throw new Error(`index.html: nothing fills ${slot}`);
        return escapeHtml(text);
      }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files[(request.url ?? '').replace(`${BASE}/`, '')];
        if (file === undefined) return next();
        response.setHeader('content-type', file.type);
        response.end(file.text());
      });
    },
    generateBundle() {
      for (const [fileName, file] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName, source: file.text() });
      }
    },
  };
}
