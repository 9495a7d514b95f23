/** The time until a customer has the statement of a full month, as the wallet asks for it. */
import { lengthenHistory } from './filler.sql.ts';
import type { BenchUser } from './population.ts';
import { startApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

/** The most that a PDF may have. */
const LINES = 10_000;
const ANSWER_LIMIT_MS = 20_000;

interface StatementsBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly users: readonly BenchUser[];
}

const GOALS = [
  { format: 'csv', name: `statement of ${LINES} lines as CSV, s`, must: 2, aim: 0.5 },
  { format: 'pdf', name: `statement of ${LINES} lines as PDF, s`, must: 5, aim: 3 },
] as const;

export async function measureStatements({
  bench,
  samples,
  scale,
  users,
}: StatementsBench): Promise<void> {
  const [owner, other] = users;
  if (owner === undefined || other === undefined) throw new Error('too few users');
  say(`statements of ${LINES} lines`);
  await bench.copy('prepared', 'statements');
  const databaseUrl = bench.databaseUrl('statements');
  // The opening balance is a line too.
  const movementCount = LINES - 1;
  await lengthenHistory(databaseUrl, {
    userId: owner.userId,
    otherUserId: other.userId,
    movementCount,
  });
  const api = await startApi('product', databaseUrl);
  try {
    for (let round = 1; round <= scale.rounds; round++) {
      for (const { format, name } of GOALS) {
        samples.note(name, (await statementMs(api.url, { owner, format })) / 1_000);
      }
    }
  } finally {
    await api.stop();
  }
  await bench.drop('statements');
}

async function statementMs(
  url: string,
  { owner, format }: { readonly owner: BenchUser; readonly format: string },
): Promise<number> {
  const month = new Date().toISOString().slice(0, 7);
  const startMs = performance.now();
  const answer = await fetch(`${url}/api/account/statements/${month}?format=${format}`, {
    headers: { authorization: `Bearer ${owner.token}` },
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const { byteLength } = await answer.arrayBuffer();
  const tookMs = performance.now() - startMs;
  if (answer.status !== 200) throw new Error(`a statement was answered with ${answer.status}`);
  if (byteLength < LINES) throw new Error(`a statement has only ${byteLength} bytes`);
  return tookMs;
}

export const statementsGoals = ({ samples }: StatementsBench): MeasuredRatio[] =>
  GOALS.map(({ name, must, aim }) => ({
    name,
    must,
    aim,
    sense: 'atMost',
    rounds: samples.of(name),
  }));
