import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { selectProcesses, selectTold } from '../../platform/health/processes.sql.ts';
import { OUTSIDES, type Outside } from '../../platform/health/reach.ts';
import { selectDatabaseState, selectObserved } from './watch.sql.ts';

/** Three times the interval of the heartbeat. */
const GONE_AFTER_MS = 45_000;

type Process = Awaited<ReturnType<typeof selectProcesses>>[number];

/** The newest of the times that the processes know; ISO 8601 sorts by time. */
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

export function registerSystemConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  const { db, clock } = deps;

  consoleEndpoint(app, deps, consoleApi.system, async () => {
    const now = dateOf(clock);
    const [processes, database, told, observed] = await Promise.all([
      selectProcesses(db),
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
      database: { ...database, replicas: [...database.replicas] },
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
