/** Runs `cap sync` in a copy of this workspace, so that tests leave the projects alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '..');
const modules = join(home, '../node_modules');

/** What `cap` generates each time, and native builds. The `.gitignore` of both projects lists them. */
const GENERATED =
  /(^|\/)(public|build|DerivedData|\.gradle|capacitor-cordova-\w+-plugins)(\/|$)|\/(capacitor\.(config|plugins)\.json|config\.xml|local\.properties)$/;

/** Removes the paths of packages, which differ between the copy and the checkout. */
const withoutPlace = (text: string): string =>
  text.replaceAll(/(?:\.\.\/)+[^'"\s]*?node_modules\//g, 'node_modules/');

/** The committed files of both projects, by path relative to `folder`. Pictures are represented by their length. */
export function projectFiles(folder: string): Record<string, string> {
  const files = globSync('{android,ios}/**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !GENERATED.test(path))
    .sort();
  return Object.fromEntries(
    files.map((path) => {
      const content = readFileSync(join(folder, path));
      const isText = !/\.(png|jar)$/.test(path);
      return [path, isText ? withoutPlace(content.toString()) : `${content.length} bytes`];
    }),
  );
}

export interface SyncedCopy {
  readonly folder: string;
  readonly exitCode: number | null;
  readonly output: string;
}

/** `page`: the `index.html` that the apps will contain. `parent`: an empty folder. */
export async function syncCopy(parent: string, page: string): Promise<SyncedCopy> {
  const folder = join(parent, 'mobile');
  symlinkSync(modules, join(parent, 'node_modules'), 'junction');
  cpSync(home, folder, {
    recursive: true,
    filter: (path) => {
      const inside = path.slice(home.length);
      return !/^\/(node_modules|www)/.test(inside) && !GENERATED.test(inside);
    },
  });
  mkdirSync(join(folder, 'www'));
  writeFileSync(join(folder, 'www/index.html'), page);
  const child = spawn(
    process.execPath,
    [join(modules, '@capacitor/cli/bin/capacitor'), 'sync'],
    // Otherwise it would read and write its settings in the home folder of the user.
    { cwd: folder, env: { ...process.env, HOME: parent, XDG_CONFIG_HOME: parent, CI: '1' } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { folder, exitCode, output };
}
