/** Fills the page, its icon and its manifest from the brand folder and the messages: no file of this app names the brand. */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { themeScript } from './theme-script.ts';

const { light, dark } = brand.colours;

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
};

/** The mark on the dark ground, with the margin that rounded and round cut-outs leave (a maskable icon's safe zone). */
function icon(): string {
  const { viewBoxSide, paths } = brand.logo;
  const side = viewBoxSide * 2;
  const marks = paths.map((path) => `<path d="${path}"/>`).join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" fill="${dark.ground}"/>` +
    `<g transform="translate(${viewBoxSide / 2} ${viewBoxSide / 2})" fill="${dark.accent}" fill-rule="evenodd">` +
    `${marks}</g></svg>`
  );
}

function manifest(): string {
  return JSON.stringify({
    id: '/',
    name: brand.programmeName,
    short_name: brand.name,
    description: slots['description'],
    start_url: '/app',
    scope: '/',
    display: 'standalone',
    background_color: dark.ground,
    theme_color: dark.ground,
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
    ],
  });
}

const files: Record<string, { type: string; text: () => string }> = {
  '/icon.svg': { type: 'image/svg+xml', text: icon },
  [themeScriptPath]: { type: 'text/javascript', text: () => themeScript },
  '/manifest.webmanifest': { type: 'application/manifest+json', text: manifest },
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
        response.end(file.text());
      });
    },
    generateBundle() {
      for (const [path, file] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: file.text() });
      }
    },
  };
}
