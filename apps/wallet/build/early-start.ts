/** The parts of the page that let a signed-in start begin before the app's code has loaded (decision 0014). */
import { join } from 'node:path';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build, runnerImport, type Rolldown } from 'vite';
import { chunkFiles } from '@athos/app-build/page-plugin';

const source = join(import.meta.dirname, '../src');
const SPLASH_FILE = join(import.meta.dirname, '../../../packages/ui/src/layout/splash.tsx');

/** The splash, exactly as React renders it later in the same place. */
export async function splashHtml(): Promise<string> {
  const { module } = await runnerImport<{ Splash: FunctionComponent }>(SPLASH_FILE);
  return renderToStaticMarkup(createElement(module.Splash));
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

const FIRST_PAGE = ['main.tsx'];
const APP = ['routes/app-layout.tsx', 'features/home/home-screen.tsx'];
const CATEGORY = ['routes/prepare-category.ts', 'features/marketplace/category-screen.tsx'];

/** Returns the addresses of the files that `wanted` loads in addition to those of `had`. */
const filesBeside =
  (had: readonly string[], wanted: readonly string[]) =>
  (bundle: Rolldown.OutputBundle): readonly string[] => {
    const known = filesOf(bundle, had);
    return [...filesOf(bundle, wanted)]
      .filter((file) => !known.has(file))
      .map((file) => `/${file}`);
  };

/** The files that `start-early.ts` fetches. The page itself lists the files of the first page. */
export const fileSlots = {
  'app-files': filesBeside(FIRST_PAGE, APP),
  'category-files': filesBeside([...FIRST_PAGE, ...APP], CATEGORY),
};
