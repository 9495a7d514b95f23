import { runTool } from '../check/run-tool.ts';
import { describeInOneLine } from '../spec/describe.ts';
import { proveSpec } from '../spec/prove.ts';
import { readSpecLists } from '../spec/rows.ts';
import { readRuns } from '../spec/runs.ts';
import {
  LONG,
  readLongResults,
  readPlaywrightResults,
  readVitestResults,
} from '../spec/test-results.ts';
import { addCounts, describeCounts, noTests, readCounts, type Counts } from './counts.ts';

interface VitestRun {
  /** Projects of vitest.config.ts; `!name` leaves one out. */
  readonly projects: readonly string[];
  /** Whether to run the tests tagged `long`, and no others. */
  readonly isLong?: boolean;
  /** Path of the JSON report. */
  readonly report: string;
  /** Chromium, for the tests that need it. */
  readonly browserPath?: string | undefined;
  /** By default, that of vitest.config.ts. */
  readonly workersMax?: number;
}

export async function runVitest({
  projects,
  isLong = false,
  report,
  browserPath,
  workersMax,
}: VitestRun): Promise<Counts> {
  const { isPassed } = await runTool(
    'vitest',
    [
      'run',
      ...projects.map((project) => `--project=${project}`),
      `--tags-filter=${isLong ? LONG : `!${LONG}`}`,
      // Otherwise each file would be loaded, only to find that it has no such test.
      ...(isLong ? ['--experimental.preParse'] : []),
      ...(workersMax === undefined ? [] : [`--maxWorkers=${workersMax}`]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { isLive: true, env: { CHROMIUM_PATH: browserPath } },
  );
  return readCounts(report, isPassed, isLong ? readLongResults : readVitestResults);
}

interface PlaywrightRun {
  /** Path of the Playwright configuration, relative to `e2e`. */
  readonly config: string;
  readonly projects: readonly string[];
  /** Path of the JSON report. */
  readonly report: string;
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly browserPath: string | undefined;
}

export async function runPlaywright(run: PlaywrightRun): Promise<Counts> {
  if (run.browserPath === undefined) {
    console.log(
      'Left out: the stories in a browser, because no Chromium was found and none could be installed (set CHROMIUM_PATH).',
    );
    return noTests;
  }
  const { isPassed } = await runTool(
    'playwright',
    [
      'test',
      `--config=e2e/${run.config}`,
      ...run.projects.map((project) => `--project=${project}`),
      '--reporter=list,json',
      ...(run.words ?? []),
    ],
    {
      isLive: true,
      env: {
        ...run.env,
        CHROMIUM_PATH: run.browserPath,
        PLAYWRIGHT_JSON_OUTPUT_NAME: run.report,
      },
    },
  );
  return readCounts(run.report, isPassed, readPlaywrightResults);
}

/**
 * Ends a test command. The last line counts its tests; the line before it summarises what all commands together have proven of the
 * specification. Failed tests are named before these, where they are found however long the run was. Only `npm run spec` fails because of
 * an unproven row.
 */
export function finish(parts: readonly Counts[]): void {
  const counts = addCounts(parts);
  for (const failure of counts.failures) console.log(`failed: ${failure}`);
  console.log(describeInOneLine(proveSpec(readSpecLists(), readRuns().results)));
  console.log(describeCounts(counts));
  process.exitCode = counts.failures.length === 0 ? 0 : 1;
}
