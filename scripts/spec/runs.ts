/**
 * Stores what the proving commands produced: for each command, the reports of its last run and a record of the
 * sources it ran on. They are kept outside Playwright's output folder, because Playwright empties that.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';
import {
  readLongResults,
  readPlaywrightResults,
  readVitestResults,
  type TestResult,
} from './test-results.ts';

const RUNS_DIR = join(root, 'test-results/runs');

const REPORTS = {
  vitest: { holds: 'Vitest', read: readVitestResults },
  long: { holds: 'the long tests', read: readLongResults },
  browser: { holds: 'the tests of single parts in a browser', read: readVitestResults },
  playwright: { holds: 'the stories in a browser', read: readPlaywrightResults },
  rehearsal: { holds: 'the story that begins with nothing', read: readPlaywrightResults },
  outage: { holds: 'the story in which the server stops', read: readPlaywrightResults },
} as const;
export type ReportName = keyof typeof REPORTS;

/** The commands by their names in package.json, each with the reports that a complete run writes. */
const PROVING_COMMANDS = {
  test: ['vitest', 'playwright'],
  'test:system': ['vitest', 'long', 'browser', 'playwright', 'rehearsal', 'outage'],
  'test:browsers': ['playwright'],
  'test:cluster': ['vitest'],
  'test:alerts': ['vitest'],
  'test:deploy': ['vitest'],
  'test:image': ['vitest'],
  'test:compat': ['vitest'],
  'test:drill': ['vitest'],
  bench: ['vitest'],
} as const satisfies Record<string, readonly ReportName[]>;
export type ProvingCommand = keyof typeof PROVING_COMMANDS;

export interface Sources {
  /** `undefined` outside a git checkout. */
  readonly commit: string | undefined;
  readonly isDirty: boolean;
  /** A hash of the content of every file except documents. */
  readonly fingerprint: string | undefined;
}

interface RunNote extends Sources {
  readonly startedAt: string;
  /** The command's arguments, such as `-g tip`. */
  readonly words: readonly string[];
}

export interface ProvingResult extends TestResult {
  readonly command: ProvingCommand;
}

export interface Runs {
  readonly results: readonly ProvingResult[];
  /** One sentence per command: when it ran, on which sources, and which reports are missing. */
  readonly notes: readonly string[];
}

/**
 * Removes the reports of the command's last run, so that an interrupted run leaves no stale results.
 * @returns where the run writes each of its reports
 */
export function beginRun(
  command: ProvingCommand,
  words: readonly string[] = [],
  dir = RUNS_DIR,
): (report: ReportName) => string {
  const runDir = dirOf(command, dir);
  rmSync(runDir, { recursive: true, force: true });
  mkdirSync(runDir, { recursive: true });
  const note: RunNote = { startedAt: new Date().toISOString(), words, ...readSources() };
  writeFileSync(join(runDir, 'run.json'), JSON.stringify(note));
  return (report) => reportFile(command, report, dir);
}

/** Reads the last run of every command. A command that has not run adds a note and no results. */
export function readRuns(dir = RUNS_DIR, now = readSources()): Runs {
  const runs = (Object.keys(PROVING_COMMANDS) as ProvingCommand[]).map((command) =>
    readRun(command, dir, now),
  );
  return {
    results: runs.flatMap(({ results }) => results),
    notes: runs.map(({ note }) => note),
  };
}

function readRun(command: ProvingCommand, dir: string, now: Sources) {
  const name = command === 'test' ? 'npm test' : `npm run ${command}`;
  const noteFile = join(dirOf(command, dir), 'run.json');
  if (!existsSync(noteFile)) return { results: [], note: `${name}: has not run` };
  const missing: string[] = [];
  const results: ProvingResult[] = [];
  for (const report of PROVING_COMMANDS[command]) {
    const found = REPORTS[report].read(reportFile(command, report, dir));
    if (found === undefined) missing.push(REPORTS[report].holds);
    for (const result of found ?? []) {
      results.push({ ...result, file: result.file.replace(`${root}/`, ''), command });
    }
  }
  const note = JSON.parse(readFileSync(noteFile, 'utf8')) as RunNote;
  const parts = [
    `${[name, ...note.words].join(' ')}: began at ${note.startedAt}${describePlace(note)}`,
    ...(missing.length === 0 ? [] : [`without results of ${missing.join(' and ')}`]),
    ...describeAge(note, now),
  ];
  return { results, note: parts.join('; ') };
}

const dirOf = (command: ProvingCommand, dir: string) => join(dir, command.replace(':', '-'));
const reportFile = (command: ProvingCommand, report: ReportName, dir: string) =>
  join(dirOf(command, dir), `${report}.json`);

function describePlace({ commit, isDirty }: Sources): string {
  if (commit === undefined) return '';
  return ` on ${commit.slice(0, 10)}${isDirty ? ' with uncommitted changes' : ''}`;
}

function describeAge(then: Sources, now: Sources): readonly string[] {
  if (now.fingerprint === undefined) return ['whether the sources have changed since is unknown'];
  return now.fingerprint === then.fingerprint ? [] : ['OLD: the sources have changed since'];
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
    // This is an unpacked archive, or git is not installed.
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
