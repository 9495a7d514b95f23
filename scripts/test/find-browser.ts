import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { runTool } from '../check/run-tool.ts';

const PROGRAM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const KNOWN_PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/**
 * Finds Chromium or Chrome, or installs it if that needs no interaction. Returns its path, or undefined if there is
 * none.
 */
export async function findOrInstallBrowser(): Promise<string | undefined> {
  return findBrowser() ?? installByApt() ?? (await installByPlaywright());
}

function findBrowser(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const inPath = PROGRAM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const candidates = [...(given ? [given] : []), ...inPath, ...KNOWN_PLACES];
  return [...candidates, chromium.executablePath()].find((path) => existsSync(path));
}

/** Works only as root on Debian and its derivatives. */
function installByApt(): string | undefined {
  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!isPossible) return undefined;
  console.log('No Chromium found: installing it with apt.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]) => spawnSync('apt-get', ['-qq', ...words], { env }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  // Try the package lists as they are first, and update them only if they are missing or stale.
  return apt(...install) || (apt('update') && apt(...install)) ? findBrowser() : undefined;
}

async function installByPlaywright(): Promise<string | undefined> {
  console.log("No Chromium found: trying Playwright's download.");
  const { isPassed } = await runTool('playwright', ['install', 'chromium']);
  return isPassed ? findBrowser() : undefined;
}
