import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { GONE_AFTER_MS } from '../../platform/health/heartbeat.ts';
import { selectProcesses, selectTold } from '../../platform/health/processes.sql.ts';
import { OUTSIDES, type Outside } from '../../platform/health/reach.ts';
import { selectDatabaseBytes, selectDatabaseState, selectObserved } from './watch.sql.ts';

/** How long the size is remembered. A database grows slowly. */
const SIZE_KNOWN_MS = 60_000;

type Process = Awaited<ReturnType<typeof selectProcesses>>[number];

/** The newest of the times that the processes report; ISO 8601 sorts by time. */
const newest = (times: readonly (string | null)[]): string | null =>
  times
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1) ?? null;

function presentOutside(processes: readonly Process[], name: Outside) {
  const known = processes.map(({ outside }) => outside[name]);
  return {
    name,
    ok_at: newest(known.map(({ okAt }) => okAt)),
    failed_at: newest(known.map(({ failedAt }) => failedAt)),
  };
}

const presentVerification = <State>(at: Date | null, state: State | null) =>
  at === null || state === null ? null : { at: at.toISOString(), state };

function rememberBytes({ db, clock }: ConsoleDeps): () => Promise<number> {
  let known = { atMs: -Infinity, bytes: Promise.resolve(0) };
  return () => {
    const nowMs = clock.nowMs();
    if (nowMs - known.atMs >= SIZE_KNOWN_MS) {
      known = { atMs: nowMs, bytes: selectDatabaseBytes(db) };
      known.bytes.catch(() => (known = { ...known, atMs: -Infinity }));
    }
    return known.bytes;
  };
}

export function registerSystemConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;
  const readBytes = rememberBytes(deps);

  consoleEndpoint(app, deps, consoleApi.system, async () => {
    const now = dateOf(clock);
    const [processes, byteCount, database, told, observed] = await Promise.all([
      selectProcesses(db),
      readBytes(),
      selectDatabaseState(db),
      selectTold(db),
      selectObserved(db),
    ]);
    return {
      at: now.toISOString(),
      processes: processes.map((process) => ({
        id: process.id,
        program: process.program,
        version: process.version,
        started_at: process.startedAt.toISOString(),
        seen_at: process.seenAt.toISOString(),
        is_gone: now.getTime() - process.seenAt.getTime() > GONE_AFTER_MS,
        memory_bytes: parseInt(process.memoryBytes.toString(), 10),
        loop_delay_ms: process.loopDelayMs,
      })),
      database: { ...database, byte_count: byteCount, replicas: [...database.replicas] },
      outside: [
        ...OUTSIDES.map((name) => presentOutside(processes, name)),
        { name: 'rate' as const, ok_at: observed.rateAt?.toISOString() ?? null, failed_at: null },
      ],
      told: told.map(({ kind, at, note }) => ({ kind, at: at.toISOString(), note })),
      verified: {
        ledger: presentVerification(observed.ledgerAt, observed.ledgerState),
        audit: presentVerification(observed.auditAt, observed.auditState),
      },
    };
  });
}
