/** The output of an app's build besides its code: the contents of its page, and small files such as the manifest. */
import type { Plugin, Rolldown } from 'vite';
import { themeScript } from './theme-script.ts';

type Bundle = Rolldown.OutputBundle;

interface BuiltFile {
  readonly type: string;
  readonly content: () => string | Buffer;
}

interface PageParts {
  /** The app's path on its origin, with a trailing slash. */
  readonly base: string;
  /** The text that replaces each `%name%` in `index.html`. The plugin itself fills `head-script`. */
  readonly slots: Readonly<Record<string, string>>;
  /** The same for HTML, which is not escaped. */
  readonly htmlSlots?: Readonly<Record<string, string>>;
  /** Slots for the addresses of files that only the bundler knows. They are empty in development. */
  readonly fileSlots?: Readonly<Record<string, (bundle: Bundle) => readonly string[]>>;
  /** Files by their path below `base`. */
  readonly files: Readonly<Record<string, BuiltFile>>;
  /** Runs before the first paint, after the theme script and in the same element. */
  readonly headScript?: string;
  /** Styles used before the stylesheet is loaded. The stylesheet then no longer blocks the first paint. */
  readonly criticalCss?: string;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** In the head, a stylesheet blocks every paint; in the body, only the content after it, which is the app's script. */
function withCriticalCss(html: string, css: string | undefined): string {
  if (css === undefined) return html;
  const [stylesheet = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  return html
    .replace(stylesheet, '')
    .replace('</body>', () => `${stylesheet}</body>`)
    .replace('<!--critical-style-->', () => `<style>${css}</style>`);
}

/** Fills in the page, and serves or writes the files. Fails the build if nothing fills a slot. */
export function pagePlugin(parts: PageParts): Plugin {
  const {
    base,
    slots,
    htmlSlots = {},
    fileSlots = {},
    files,
    headScript = '',
    criticalCss,
  } = parts;
  function fill(name: string, bundle: Bundle | undefined): string {
    if (name === 'head-script') return themeScript + headScript;
    const html = htmlSlots[name];
    if (html !== undefined) return html;
    const filesOf = fileSlots[name];
    if (filesOf !== undefined) return bundle === undefined ? '' : filesOf(bundle).join(' ');
    const text = slots[name];
    if (text === undefined) throw new Error(`index.html: nothing fills %${name}%`);
    return escapeHtml(text);
  }

  return {
    name: 'page',
    transformIndexHtml: (html, { bundle }) =>
      withCriticalCss(html, criticalCss).replaceAll(/%([a-z-]+)%/g, (_slot, name: string) =>
        fill(name, bundle),
      ),
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { url = '' } = request;
        const file = url.startsWith(base) ? files[url.slice(base.length)] : undefined;
        if (file === undefined) return next();
        response.setHeader('content-type', file.type);
        response.end(file.content());
      });
    },
    generateBundle() {
      for (const [fileName, file] of Object.entries(files)) {
        this.emitFile({ type: 'asset', fileName, source: file.content() });
      }
    },
  };
}

/** Returns the JavaScript files of the chunks that contain these source files, and of all their static imports. */
export function chunkFiles(bundle: Bundle, sourceFiles: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (fileName: string): void => {
    const chunk = bundle[fileName];
    if (chunk?.type !== 'chunk' || found.has(fileName)) return;
    found.add(fileName);
    chunk.imports.forEach(visit);
  };
  for (const sourceFile of sourceFiles) {
    const chunk = Object.values(bundle).find(
      (part) => part.type === 'chunk' && part.moduleIds.includes(sourceFile),
    );
    if (chunk === undefined) throw new Error(`${sourceFile} is not part of the build`);
    visit(chunk.fileName);
  }
  return found;
}
