/** The parts of the page that let a signed-in start begin before the app's code has loaded (decision 0014). */
import { join } from 'node:path';
import { createElement, type FunctionComponent, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import tailwindcss from '@tailwindcss/vite';
import { build, runnerImport, type Rolldown } from 'vite';
import { chunkFiles } from '@athos/app-build/page-plugin';

const source = join(import.meta.dirname, '../src');
const ui = join(import.meta.dirname, '../../../packages/ui/src');

async function componentOf<Props>(file: string, name: string): Promise<FunctionComponent<Props>> {
  const { module } = await runnerImport<Record<string, FunctionComponent<Props>>>(file);
  const component = module[name];
  if (component === undefined) throw new Error(`${file} has no ${name}`);
  return component;
}

/** The splash, exactly as React renders it later in the same place. */
export async function splashHtml(): Promise<string> {
  const Splash = await componentOf(join(ui, 'layout/splash.tsx'), 'Splash');
  return renderToStaticMarkup(createElement(Splash));
}

/** Rendered in the shape of the signed-out forms, until one of them has loaded. */
async function formShell(): Promise<ReactNode> {
  const AuthScreen = await componentOf<{ title: string; lead: ReactNode }>(
    join(ui, 'layout/auth-screen.tsx'),
    'AuthScreen',
  );
  const Skeleton = await componentOf<{ className: string; isRound?: boolean }>(
    join(ui, 'primitives/skeleton.tsx'),
    'Skeleton',
  );
  return createElement(
    AuthScreen,
    { title: '', lead: createElement(Skeleton, { className: 'h-9 w-3/5' }) },
    createElement(Skeleton, { className: 'h-12 w-full' }),
    createElement(Skeleton, { className: 'h-12 w-full' }),
    createElement(Skeleton, { className: 'h-13 w-full', isRound: true }),
  );
}

/** The first view of a visitor. The screen adds title and landmark later. */
export async function shellHtml(): Promise<string> {
  const welcomeFile = join(source, 'features/auth/get-started-screen.tsx');
  const Welcome = await componentOf(welcomeFile, 'GetStartedScreen');
  const parts = { welcome: createElement(Welcome), form: await formShell() };
  return Object.entries(parts)
    .map(([name, part]) => `<div id="shell-${name}">${renderToStaticMarkup(part)}</div>`)
    .join('')
    .replaceAll(/<title>[^<]*<\/title>|<h1[^>]*><\/h1>/g, '')
    .replaceAll(/<main id="content" tabindex="-1"/g, '<div')
    .replaceAll('</main>', '</div>');
}

/** The styles that `html` uses, and no others. Fails the build if a class has none. */
export async function criticalCss(html: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [tailwindcss()],
    build: {
      write: false,
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(source, 'shell.css') },
    },
  });
  if (!('output' in output)) throw new Error('shell.css was not built once');
  const css = output.output.find(({ fileName }) => fileName.endsWith('.css'));
  if (css?.type !== 'asset') throw new Error('shell.css has no styles');
  const text = css.source.toString();
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const known = text.replaceAll('\\', '');
  const missing = classes.filter(
    (name) => !known.includes(`.${name}`) && !name.startsWith('lucide'),
  );
  if (missing.length > 0) throw new Error(`shell.css has no styles for ${missing.join(' ')}`);
  return text.trim();
}

/** `head.ts` and its imports, as a classic script. */
export async function headScript(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: join(source, 'head.ts'), output: { format: 'iife' } },
    },
  });
  if (!('output' in output)) throw new Error('The head script was not built once');
  return output.output[0].code;
}

const filesOf = (bundle: Rolldown.OutputBundle, names: readonly string[]): ReadonlySet<string> =>
  chunkFiles(
    bundle,
    names.map((name) => join(source, name)),
  );

function sizeIn(bundle: Rolldown.OutputBundle, file: string): number {
  const part = bundle[file];
  return part?.type === 'chunk' ? part.code.length : 0;
}

const FIRST_PAGE = ['main.tsx'];
const APP = ['routes/app-layout.tsx', 'features/home/home-screen.tsx'];
const CATEGORY = ['routes/prepare-screen.ts', 'features/marketplace/category-screen.tsx'];
const OFFER = ['routes/prepare-screen.ts', 'features/marketplace/offer-screen.tsx'];

/**
 * Returns the addresses of the files that `wanted` loads in addition to those of `had`, largest first: over HTTP/1.1 a
 * browser fetches six at once, and dozens of small ones held the largest back for 3 s on slow 3G.
 */
const filesBeside =
  (had: readonly string[], wanted: readonly string[]) =>
  (bundle: Rolldown.OutputBundle): readonly string[] => {
    const known = filesOf(bundle, had);
    return [...filesOf(bundle, wanted)]
      .filter((file) => !known.has(file))
      .toSorted((one, other) => sizeIn(bundle, other) - sizeIn(bundle, one))
      .map((file) => `/${file}`);
  };

/** The files that `start-early.ts` fetches. The page also lists those of the first page, but after the data. */
export const fileSlots = {
  'app-files': filesBeside([], [...FIRST_PAGE, ...APP]),
  'category-files': filesBeside([...FIRST_PAGE, ...APP], CATEGORY),
  'offer-files': filesBeside([...FIRST_PAGE, ...APP], OFFER),
};
