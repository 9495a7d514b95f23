/** All capabilities in dependency order: each may use the doors of those before it (tools/architecture.test.ts). */
import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Capability, Contributions } from './capability.ts';
import type { Deps } from './deps.ts';
import { activity } from './modules/activity/index.ts';
import { campaigns } from './modules/campaigns/index.ts';
import { cards } from './modules/cards/index.ts';
import { health } from './modules/health/index.ts';
import { identity } from './modules/identity/index.ts';
import { rate } from './modules/rate/index.ts';
import { shop } from './modules/shop/index.ts';
import { tickets } from './modules/tickets/index.ts';
import { transfers } from './modules/transfers/index.ts';
import { createLimitsTasks, limitsCrontab } from './platform/limits/attempt-counters.tasks.ts';

const capabilities: readonly Capability<Deps & Contributions>[] = [
  identity,
  rate,
  transfers,
  cards,
  shop,
  campaigns,
  tickets,
  activity,
  health,
];

const contributions: Contributions = {
  historySources: capabilities.flatMap(({ history }) => history ?? []),
  liveEventSources: capabilities.flatMap(({ liveEvents }) => liveEvents ?? []),
  deletionGuards: capabilities.flatMap(({ deletionGuard }) => deletionGuard ?? []),
  erasures: capabilities.flatMap(({ eraseUser }) => eraseUser ?? []),
};

export function registerRoutes(app: FastifyInstance, deps: Deps): void {
  for (const capability of capabilities) {
    capability.registerRoutes?.(app, { ...deps, ...contributions });
  }
}

export const createTasks = (deps: Deps): TaskList =>
  Object.fromEntries([
    ...Object.entries(createLimitsTasks(deps)),
    ...capabilities.flatMap((capability) =>
      Object.entries(capability.createTasks?.({ ...deps, ...contributions }) ?? {}),
    ),
  ]);

export const crontab = [
  limitsCrontab,
  ...capabilities.map((capability) => capability.crontab),
].join('');
