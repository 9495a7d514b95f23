import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Program {
  /**
   * The environment variable that gives the stories the program's path. A value that is already set is used
   * unchecked.
   */
  readonly variable: string;
  readonly debianPackage: string;
  readonly find: () => string | undefined;
}

interface OtherBrowser {
  /** The name of its Playwright project. */
  readonly name: string;
  readonly programs: readonly Program[];
}

export const otherBrowsers: readonly OtherBrowser[] = [
  {
    name: 'Firefox ESR',
    programs: [
      {
        variable: 'FIREFOX_PATH',
        debianPackage: 'firefox-esr',
        find: () => findInPath('firefox-esr'),
      },
    ],
  },
  {
    name: 'WebKitGTK',
    programs: [
      {
        variable: 'WEBKIT_DRIVER_PATH',
        debianPackage: 'webkit2gtk-driver',
        find: () => findInPath('WebKitWebDriver'),
      },
      { variable: 'MINI_BROWSER_PATH', debianPackage: 'webkit2gtk-driver', find: findMiniBrowser },
      { variable: 'XVFB_PATH', debianPackage: 'xvfb', find: () => findInPath('Xvfb') },
    ],
  },
];

/** Returns the paths of the browser's programs by variable, and the packages of those that are missing. */
export function locate({ programs }: OtherBrowser) {
  const paths: Record<string, string> = {};
  const missing = new Set<string>();
  for (const { variable, debianPackage, find } of programs) {
    const path = process.env[variable] ?? find();
    if (path === undefined) missing.add(debianPackage);
    else paths[variable] = path;
  }
  return { paths, missing: [...missing] };
}

/** Installs the missing packages as root on Debian and its derivatives; does nothing elsewhere. */
export function installMissing(): void {
  const missing = otherBrowsers.flatMap((browser) => locate(browser).missing);
  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (missing.length === 0 || !isPossible) return;
  console.log(`Installing with apt: ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) => spawnSync('apt-get', ['-qq', ...words], { env }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', ...missing];
  // Try the package lists as they are first, and update them only if they are missing or stale.
  if (!apt(...install) && apt('update')) apt(...install);
}

function findInPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** WebKitGTK's MiniBrowser is installed beside its library, in a folder named after the machine's architecture. */
function findMiniBrowser(): string | undefined {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .flatMap((name) => ['webkit2gtk-4.1', 'webkit2gtk-4.0'].map((folder) => join(name, folder)))
    .map((folder) => join(libraries, folder, 'MiniBrowser'))
    .find((path) => existsSync(path));
}
