/** The state of the programs and their dependencies, each with the time of the observation. */
import { z } from 'zod';
import { timeText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';

const verified = z
  .object({ at: timeText, state: z.enum(['running', 'right', 'wrong', 'failed']) })
  .nullable();

export const systemCalls = {
  system: {
    method: 'GET',
    path: '/admin/system',
    auth: 'console',
    permission: 'system.read',
    summary: 'Programs, database, what is outside, backups and verifications',
    answer: z
      .object({
        /** The time of this reading. */
        at: timeText,
        processes: z.array(
          z.object({
            id: z.string(),
            program: z.string(),
            version: z.string(),
            started_at: timeText,
            seen_at: timeText,
            /** It has not reported for 45 s. */
            is_gone: z.boolean(),
            memory_bytes: z.int(),
            /** The longest delay within 15 s. */
            loop_delay_ms: z.int(),
          }),
        ),
        database: z.object({
          byte_count: z.int(),
          connections: z.int(),
          connections_max: z.int(),
          /** Null if no other transaction is open. */
          oldest_transaction_seconds: z.int().nullable(),
          replicas: z.array(
            z.object({ name: z.string(), state: z.string(), lag_seconds: z.number() }),
          ),
          is_replica: z.boolean(),
        }),
        /** As observed by the programs in their own calls. */
        outside: z.array(
          z.object({
            name: z.enum(['provider', 'mail', 'rate']),
            ok_at: timeText.nullable(),
            failed_at: timeText.nullable(),
          }),
        ),
        told: z.array(
          z.object({ kind: z.enum(['backup', 'restore_test']), at: timeText, note: z.string() }),
        ),
        verified: z.object({ ledger: verified, audit: verified }),
      })
      .meta({ id: 'System' }),
  },
} as const satisfies ConsoleCalls;
