/** The load process: a closed loop on keep-alive connections. Reads a LoadPlan from its standard input, writes a LoadResult. */
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection } from './http-connection.ts';
import type { LoadPlan, LoadResult } from './load-plan.ts';
import { requestMaker } from './requests.ts';

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
process.stdout.write(JSON.stringify(await runLoad(plan)));

async function runLoad({
  url,
  connectionCount,
  warmUpMs,
  measureMs,
  ...rest
}: LoadPlan): Promise<LoadResult> {
  const makeRequest = requestMaker({ url, connectionCount, warmUpMs, measureMs, ...rest });
  const connections = Array.from({ length: connectionCount }, () => new HttpConnection(url));
  const statusCounts: Record<string, number> = {};
  let durations: number[] = [];
  let isOver = false;
  const loops = connections.map(async (connection) => {
    while (!isOver) {
      const startMs = performance.now();
      const { status } = await connection.request(makeRequest());
      durations.push(performance.now() - startMs);
      statusCounts[status] = (statusCounts[status] ?? 0) + 1;
    }
    connection.close();
  });
  await Promise.race([pause(warmUpMs), Promise.all(loops)]);
  durations = [];
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
  await Promise.race([pause(measureMs), Promise.all(loops)]);
  const seconds = (performance.now() - startMs) / 1000;
  const cpu = process.cpuUsage(startCpu);
  const measured = Float64Array.from(durations).sort();
  isOver = true;
  await Promise.all(loops);
  const atShare = (share: number): number =>
    round(measured[Math.min(measured.length - 1, Math.floor(measured.length * share))] ?? 0);
  return {
    requestCount: measured.length,
    perSecond: Math.round(measured.length / seconds),
    p50Ms: atShare(0.5),
    p99Ms: atShare(0.99),
    slowestMs: atShare(1),
    clientCpuUs: round((cpu.user + cpu.system) / Math.max(1, measured.length)),
    statusCounts,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
