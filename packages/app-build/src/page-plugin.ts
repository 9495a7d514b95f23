/** A Vite plugin that fills in an app's page and writes small files such as its manifest. */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { themeScript } from './theme-script.ts';

interface BuiltFile {
  readonly type: string;
  readonly content: () => string | Buffer;
}

interface PageParts {
  /** The app's path on its origin, with a trailing slash. */
  readonly base: string;
  /** Replaces each `%name%` of `index.html`; the plugin adds `theme-script`. */
  readonly slots: Readonly<Record<string, string>>;
  /** By the path below `base`. */
  readonly files: Readonly<Record<string, BuiltFile>>;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The hash lets browsers cache the file forever, like every asset. */
const THEME_SCRIPT_FILE = `assets/theme-${createHash('sha256').update(themeScript).digest('hex').slice(0, 8)}.js`;

/** Fills in the page, and serves or writes the files. The build fails if a slot is left. */
export function pagePlugin({ base, slots, files }: PageParts): Plugin {
  const allSlots: PageParts['slots'] = { ...slots, 'theme-script': base + THEME_SCRIPT_FILE };
  const allFiles: PageParts['files'] = {
    ...files,
    [THEME_SCRIPT_FILE]: { type: 'text/javascript', content: () => themeScript },
  };
  return {
    name: 'page',
    transformIndexHtml: (html) =>
      html.replaceAll(/%([a-z-]+)%/g, (slot, name: string) => {
        const text = allSlots[name];
        if (text === undefined) throw new Error(`index.html: nothing fills ${slot}`);
        return escapeHtml(text);
      }),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { url = '' } = request;
        const file = url.startsWith(base) ? allFiles[url.slice(base.length)] : undefined;
        if (file === undefined) return next();
        response.setHeader('content-type', file.type);
        response.end(file.content());
      });
    },
    generateBundle() {
      for (const [fileName, file] of Object.entries(allFiles)) {
        this.emitFile({ type: 'asset', fileName, source: file.content() });
      }
    },
  };
}
