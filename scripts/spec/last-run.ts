/**
 * What the last `npm test` left behind: the reports of its runners, and a note of the sources it ran on. Playwright empties
 * its own output folder, so they lie beside it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import { readPlaywrightResults, readVitestResults, type TestResult } from './test-results.ts';

const dir = join(root, 'test-results/last-run');
export const lastRunReports = {
  architecture: join(dir, 'architecture.json'),
  vitest: join(dir, 'vitest.json'),
  playwright: join(dir, 'playwright.json'),
} as const;
const noteFile = join(dir, 'run.json');

interface Sources {
  /** Undefined outside a git checkout. */
  readonly commit: string | undefined;
  readonly isDirty: boolean;
  /** Of the content of every file but the documents. */
  readonly fingerprint: string | undefined;
}

interface RunNote extends Sources {
  readonly startedAt: string;
}

export interface LastRun {
  readonly results: readonly TestResult[];
  /** One sentence each: when it was, and what it does not tell. */
  readonly notes: readonly string[];
}

/** Forgets the run before, so that nothing of it is taken for this one's when this one breaks off. */
export function beginRun(): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const note: RunNote = { startedAt: new Date().toISOString(), ...readSources() };
  writeFileSync(noteFile, JSON.stringify(note));
}

/** Undefined when nothing was run, or the run broke off before its first report. */
export function readLastRun(): LastRun | undefined {
  const vitest = readVitestResults(lastRunReports.vitest);
  if (vitest === undefined || !existsSync(noteFile)) return undefined;
  const note = JSON.parse(readFileSync(noteFile, 'utf8')) as RunNote;
  const architecture = readVitestResults(lastRunReports.architecture);
  const playwright = readPlaywrightResults(lastRunReports.playwright);
  return {
    results: [...(architecture ?? []), ...vitest, ...(playwright ?? [])].map((result) => ({
      ...result,
      file: result.file.replace(`${root}/`, ''),
    })),
    notes: [
      ...describeAge(note),
      ...(architecture === undefined ? ['It has no results of the architecture test.'] : []),
      ...(playwright === undefined ? ['It has no results of the tests in a browser.'] : []),
    ],
  };
}

function describeAge(note: RunNote): readonly string[] {
  const now = readSources();
  const place =
    note.commit === undefined
      ? ''
      : `, on ${note.commit.slice(0, 10)}${note.isDirty ? ' with changes that were not committed' : ''}`;
  const sentence = `The last run began at ${note.startedAt}${place}.`;
  if (now.fingerprint === undefined)
    return [`${sentence} Whether the sources have changed since is not known.`];
  const isOld = now.fingerprint !== note.fingerprint;
  return [
    isOld ? `${sentence} The sources have changed since: run npm test for the truth.` : sentence,
  ];
}

function readSources(): Sources {
  try {
    const paths = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    const hash = createHash('sha256');
    for (const path of new Set(paths)) {
      const file = join(root, path);
      if (path === '' || path.endsWith('.md') || !existsSync(file)) continue;
      hash.update(`${path}\0`).update(readFileSync(file));
    }
    return {
      commit: git('rev-parse', 'HEAD').trim(),
      isDirty: git('status', '--porcelain') !== '',
      fingerprint: hash.digest('hex'),
    };
  } catch {
    // An unpacked archive, or no git on this machine.
    return { commit: undefined, isDirty: false, fingerprint: undefined };
  }
}

function git(...words: string[]): string {
  return execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
