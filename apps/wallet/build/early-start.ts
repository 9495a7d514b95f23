/** What the page carries for a signed-in start, so that it need not wait for the app's code (decision 0014). */
import { join } from 'node:path';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build, runnerImport, type Rolldown } from 'vite';
import { chunkFiles } from '@athos/app-build/page-plugin';

const source = join(import.meta.dirname, '../src');
const SPLASH_FILE = join(import.meta.dirname, '../../../packages/ui/src/layout/splash.tsx');

/** The splash as React draws it later in the same place. */
export async function splashHtml(): Promise<string> {
  const { module } = await runnerImport<{ Splash: FunctionComponent }>(SPLASH_FILE);
  return renderToStaticMarkup(createElement(module.Splash));
}

/** `head.ts` and what it imports, as a classic script. */
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

const FIRST_PAGE = ['main.tsx'];
const APP = ['routes/app-layout.tsx', 'features/home/home-screen.tsx'];
const CATEGORY = ['routes/prepare-category.ts', 'features/marketplace/category-screen.tsx'];

/** The addresses of the files that `wanted` loads and `had` does not. */
const filesBeside =
  (had: readonly string[], wanted: readonly string[]) =>
  (bundle: Rolldown.OutputBundle): readonly string[] => {
    const known = filesOf(bundle, had);
    return [...filesOf(bundle, wanted)]
      .filter((file) => !known.has(file))
      .map((file) => `/${file}`);
  };

/** What `start-early.ts` fetches. The page names the files of the first page itself. */
export const fileSlots = {
  'app-files': filesBeside(FIRST_PAGE, APP),
  'category-files': filesBeside([...FIRST_PAGE, ...APP], CATEGORY),
};
