import { availableParallelism } from 'node:os';
import { runTool } from './run-tool.ts';

interface Step {
  readonly name: string;
  readonly tool: string;
  readonly words: readonly string[];
}

/** The longest step comes first, so that the others run beside it. */
const STEPS: readonly Step[] = [
  {
    name: 'format',
    tool: 'prettier',
    // The cache compares content, because a checkout changes file times. It has a path of its own, because a prettier run
    // without a cache deletes the default one. With the cache a second run takes 1.5 s instead of 10 s.
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
    // By default four checkers per project repeat each other's work: 20 s of CPU time instead of 8 s.
    words: ['-b', '--builders', '2', '--checkers', '1'],
  },
  { name: 'dead code', tool: 'knip', words: ['--no-progress'] },
  {
    name: 'architecture',
    tool: 'vitest',
    words: ['run', '--project=architecture', '--reporter=dot'],
  },
];

/**
 * Runs all checks in parallel and prints a line for each, followed by its output if it fails.
 * @returns how many failed
 */
export async function runChecks(): Promise<number> {
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
  return failedCount;
}
