import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Program {
  /** The environment variable that passes the program's path to the stories. A value that is already set is used unchanged. */
  readonly variable: string;
  readonly debianPackage: string;
  readonly find: () => string | undefined;
}

interface OtherBrowser {
  /** The name of its Playwright project. */
  readonly name: string;
  /** The oldest version with which the stories have passed. */
  readonly versionMin: string;
  /** The command that prints the version, given the path of the first program. */
  readonly askVersion: (path: string) => readonly [command: string, ...words: string[]];
  readonly programs: readonly [Program, ...Program[]];
}

export const otherBrowsers: readonly OtherBrowser[] = [
  {
    name: 'Firefox ESR',
    // The previous ESR, 140, does not know network.addDataCollector, which Playwright needs.
    versionMin: '153',
    askVersion: (path) => [path, '--version'],
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
    versionMin: '2.50',
    // Its driver does not print a version, and its browser only on a display.
    askVersion: () => ['dpkg-query', '--show', 'webkit2gtk-driver'],
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

export interface LocatedBrowser {
  readonly name: string;
  /** The paths of its programs by variable. */
  readonly paths: Readonly<Record<string, string>>;
  /** The installed and the minimum version: one line for the run's output. */
  readonly line: string;
  /** The Debian packages to install or to upgrade; empty if the browser is usable. */
  readonly packages: readonly string[];
}

export function locate({ name, versionMin, askVersion, programs }: OtherBrowser): LocatedBrowser {
  const found = programs.map((program) => ({
    ...program,
    path: process.env[program.variable] ?? program.find(),
  }));
  const paths = Object.fromEntries(
    found.flatMap(({ variable, path }) => (path === undefined ? [] : [[variable, path]])),
  );
  const missing = found.flatMap(({ path, debianPackage }) =>
    path === undefined ? [debianPackage] : [],
  );
  const least = `${versionMin} or newer is needed`;
  if (missing.length > 0) {
    const packages = [...new Set(missing)];
    return {
      name,
      paths,
      line: `${name} is missing (${packages.join(', ')}): ${least}.`,
      packages,
    };
  }
  const version = versionOf(askVersion(found[0]?.path ?? ''));
  // A browser that does not print its version may be new enough; the stories will show.
  const isOld = version !== undefined && compareVersions(version, versionMin) < 0;
  return {
    name,
    paths,
    line: `${name} ${version ?? 'of an unknown version'}: ${least}.`,
    packages: isOld ? [programs[0].debianPackage] : [],
  };
}

/**
 * Installs or upgrades missing and outdated browsers, as root on Debian and its derivatives; does nothing elsewhere. The package lists are
 * updated first: lists of some weeks ago offer old browsers.
 */
export function installMissing(): void {
  const packages = [...new Set(otherBrowsers.flatMap((browser) => locate(browser).packages))];
  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (packages.length === 0 || !isPossible) return;
  console.log(`Installing with apt: ${packages.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) => spawnSync('apt-get', ['-qq', ...words], { env });
  // Without a network the lists stay as they are, and the packages may be in apt's cache.
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
}

const VERSION_LIMIT_MS = 20_000;

/** The version in the command's output, such as 153.7.0. */
function versionOf([command, ...words]: readonly [string, ...string[]]): string | undefined {
  const { stdout } = spawnSync(command, words, {
    encoding: 'utf8',
    timeout: VERSION_LIMIT_MS,
  });
  return /\d+(\.\d+)+/.exec(stdout ?? '')?.[0];
}

/** Negative if `a` is older than `b`. Components that `b` lacks are ignored. */
function compareVersions(a: string, b: string): number {
  const [own, other] = [a.split('.'), b.split('.')];
  const index = other.findIndex((part, at) => part !== own[at]);
  return index === -1 ? 0 : Number(own[index] ?? 0) - Number(other[index]);
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
