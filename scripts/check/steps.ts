import { availableParallelism } from 'node:os';
import { lastRunReports } from '../spec/last-run.ts';
import { runTool } from './run-tool.ts';

interface Step {
  readonly name: string;
  readonly tool: string;
  readonly words: readonly string[];
}

/** The longest first, so that the others fill the time beside it. */
const STEPS: readonly Step[] = [
  { name: 'format', tool: 'prettier', words: ['--check', '--log-level=warn', '.'] },
  { name: 'dead code', tool: 'knip', words: ['--no-progress'] },
  { name: 'types', tool: 'tsc', words: ['-b'] },
  { name: 'lint', tool: 'oxlint', words: ['--type-aware', '--deny-warnings'] },
  {
    name: 'architecture',
    tool: 'vitest',
    words: [
      'run',
      '--project',
      'architecture',
      '--reporter=dot',
      // Its tests prove rows of the specification too.
      '--reporter=json',
      `--outputFile.json=${lastRunReports.architecture}`,
    ],
  },
];

export interface CheckCounts {
  readonly passedCount: number;
  readonly failedCount: number;
}

/** Runs all checks side by side and prints a line for each, with the output of those that fail. */
export async function runChecks(): Promise<CheckCounts> {
  const waiting = [...STEPS];
  let failedCount = 0;
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { isPassed, output, seconds } = await runTool(step.tool, step.words);
      console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)`);
      if (isPassed) continue;
      failedCount += 1;
      console.log(output);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return { passedCount: STEPS.length - failedCount, failedCount };
}
