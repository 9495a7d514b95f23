/** The load in JavaScript, on keep-alive connections. Reads a LoadPlan from standard input and writes a LoadResult. */
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection } from './http-connection.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { pacedLoop } from './paced-loop.ts';
import { rounded } from './report.ts';
import { requestSender } from './requests.ts';

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
process.stdout.write(JSON.stringify(await runLoad(plan)));

async function runLoad(given: LoadPlan): Promise<LoadResult> {
  const connectionsByUrl = [given.url, ...(given.besideUrls ?? [])].map((url) =>
    Array.from({ length: given.connectionCount }, () => new HttpConnection(url)),
  );
  const sendOne = requestSender(given.request);
  let answeredCount = 0;
  let durations: number[] = [];
  let isOver = false;
  const measureOne: MeasureOne = async (connection, startMs = performance.now()) => {
    const status = await sendOne(connection);
    durations.push(performance.now() - startMs);
    answeredCount += 1;
    if (status !== (given.expectedStatus ?? 200)) throw new Error(`answered ${status}`);
  };
  const isOn = (): boolean => !isOver;
  const { perSecond } = given;
  const loops = Promise.all(
    connectionsByUrl.map((connections) =>
      perSecond === undefined
        ? closedLoops(connections, measureOne, isOn)
        : pacedLoop(connections, measureOne, { isOn, perSecond }),
    ),
  );
  await Promise.race([pause(given.warmUpMs), loops]);
  durations = [];
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
  await Promise.race([pause(given.measureMs), loops]);
  const seconds = (performance.now() - startMs) / 1000;
  const cpu = process.cpuUsage(startCpu);
  const measured = Float64Array.from(durations).sort();
  isOver = true;
  await loops;
  for (const connection of connectionsByUrl.flat()) connection.close();
  const atShare = (share: number): number =>
    rounded(measured[Math.min(measured.length - 1, Math.floor(measured.length * share))] ?? 0);
  return {
    answeredCount,
    perSecond: Math.round(measured.length / seconds),
    p50Ms: atShare(0.5),
    p99Ms: atShare(0.99),
    slowestMs: atShare(1),
    loadCpuShare: rounded((cpu.user + cpu.system) / 1e6 / seconds),
  };
}

/** Sends one request and records its duration, counted from `startMs` (default: now). */
type MeasureOne = (connection: HttpConnection, startMs?: number) => Promise<void>;

/** Every connection sends its next request as soon as it has a response. */
async function closedLoops(
  connections: readonly HttpConnection[],
  measureOne: MeasureOne,
  isOn: () => boolean,
): Promise<void> {
  await Promise.all(
    connections.map(async (connection) => {
      while (isOn()) await measureOne(connection);
    }),
  );
}
