import { availableParallelism } from 'node:os';
import { runTool } from './run-tool.ts';

interface Step {
  readonly name: string;
  readonly tool: string;
  readonly words: readonly string[];
}

/** The longest first, so that the others fill the time beside it. */
const listSteps = (architectureReport: string | undefined): readonly Step[] => [
  {
    name: 'format',
    tool: 'prettier',
    // By content, because a checkout changes the times of files. In a place of its own, because prettier without a cache
    // deletes the cache of the default place. A second run takes 1.5 s instead of 10.
    words: [
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-strategy=content',
      '--cache-location=node_modules/.cache/prettier-check',
      '.',
    ],
  },
  { name: 'lint', tool: 'oxlint', words: ['--type-aware', '--deny-warnings'] },
  {
    name: 'types',
    tool: 'tsc',
    // By default four checkers a project repeat each other's work: 20 s of processor instead of 8.
    words: ['-b', '--builders', '2', '--checkers', '1'],
  },
  { name: 'dead code', tool: 'knip', words: ['--no-progress'] },
  {
    name: 'architecture',
    tool: 'vitest',
    words: [
      'run',
      '--project=architecture',
      '--reporter=dot',
      ...(architectureReport === undefined
        ? []
        : ['--reporter=json', `--outputFile.json=${architectureReport}`]),
    ],
  },
];

export interface CheckCounts {
  readonly passedCount: number;
  readonly failedCount: number;
}

/**
 * Runs all checks side by side and prints a line for each, with the output of those that fail.
 * @param architectureReport where to write the architecture test's JSON report: its tests prove rows of the specification
 */
export async function runChecks(architectureReport?: string): Promise<CheckCounts> {
  const steps = listSteps(architectureReport);
  const waiting = [...steps];
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
  return { passedCount: steps.length - failedCount, failedCount };
}
