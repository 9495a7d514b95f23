import { z } from 'zod';
import type { ConsoleCalls } from './console-call.ts';
import type { Permission } from './permissions.ts';

/** The topics of live events, each with the permission that its lists require. Only people with that permission receive them. */
export const TOPIC_PERMISSIONS = {
  approvals: 'approvals.read',
  bulk: 'customers.read',
  disputes: 'payments.read',
  exports: 'exports.create',
  payments: 'payments.read',
} as const satisfies Readonly<Record<string, Permission>>;
export type ConsoleTopic = keyof typeof TOPIC_PERMISSIONS;
export const CONSOLE_TOPICS = Object.keys(TOPIC_PERMISSIONS) as ConsoleTopic[];

/** Names only the changed topic. The app reads the data again, with the checks of every read. */
export const consoleEvent = z
  .object({ topic: z.enum(CONSOLE_TOPICS) })
  .meta({ id: 'ConsoleEvent' });
export type ConsoleEvent = z.infer<typeof consoleEvent>;

export const eventCalls = {
  consoleEvents: {
    method: 'GET',
    path: '/admin/events',
    auth: 'console',
    permission: 'own',
    summary: 'Live updates as server-sent events',
    answer: consoleEvent,
    stream: true,
  },
} as const satisfies ConsoleCalls;
