/** All capabilities in dependency order: each may use the doors of those before it (tools/architecture.test.ts). */
import type { FastifyInstance } from 'fastify';
import { WAITING_KINDS } from '@athos/contract/console/dashboard';
import type { Capability, Contributions } from './capability.ts';
import type { Deps } from './deps.ts';
import { activity } from './modules/activity/index.ts';
import { adjustments } from './modules/adjustments/index.ts';
import { approvals } from './modules/approvals/index.ts';
import { bookkeeping } from './modules/bookkeeping/index.ts';
import { campaigns } from './modules/campaigns/index.ts';
import { cards } from './modules/cards/index.ts';
import { contacts } from './modules/contacts/index.ts';
import { customers } from './modules/customers/index.ts';
import { exports } from './modules/exports/index.ts';
import { health } from './modules/health/index.ts';
import { holds } from './modules/holds/index.ts';
import { identity } from './modules/identity/index.ts';
import { legal } from './modules/legal/index.ts';
import { merchants } from './modules/merchants/index.ts';
import { profiles } from './modules/profiles/index.ts';
import { rate } from './modules/rate/index.ts';
import { receipts } from './modules/receipts/index.ts';
import { reports } from './modules/reports/index.ts';
import { shop } from './modules/shop/index.ts';
import { staff } from './modules/staff/index.ts';
import { statements } from './modules/statements/index.ts';
import { tickets } from './modules/tickets/index.ts';
import { transfers } from './modules/transfers/index.ts';
import { createFactorsTasks, factorsCrontab } from './platform/factors/challenges.tasks.ts';
import { createFailedJobsTasks, failedJobsCrontab } from './platform/jobs/failed-jobs.tasks.ts';
import { eventStats } from './platform/stats/event-counts.sql.ts';
import type { TasksByLane } from './platform/jobs/lanes.ts';
import { createLimitsTasks, limitsCrontab } from './platform/limits/attempt-counters.tasks.ts';

const capabilities: readonly Capability<Deps & Contributions>[] = [
  approvals,
  staff,
  holds,
  legal,
  identity,
  rate,
  profiles,
  transfers,
  adjustments,
  cards,
  merchants,
  shop,
  campaigns,
  tickets,
  activity,
  contacts,
  receipts,
  statements,
  customers,
  bookkeeping,
  exports,
  reports,
  health,
];

const contributions: Contributions = {
  historySources: capabilities.flatMap(({ history }) => history ?? []),
  transferObjects: capabilities.flatMap(({ transferObjects }) => transferObjects ?? []),
  timelineSources: capabilities.flatMap(({ timeline }) => timeline ?? []),
  liveEventSources: capabilities.flatMap(({ liveEvents }) => liveEvents ?? []),
  statSources: [eventStats, ...capabilities.flatMap(({ stats }) => stats ?? [])],
  headReaders: capabilities.flatMap(({ readHead }) => readHead ?? []),
  deletionGuards: capabilities.flatMap(({ deletionGuard }) => deletionGuard ?? []),
  erasures: capabilities.flatMap(({ eraseUser }) => eraseUser ?? []),
  staffEndings: capabilities.flatMap(({ endStaffWork }) => endStaffWork ?? []),
  actions: capabilities.flatMap(({ actions }) => actions ?? []),
  waitingSources: capabilities
    .flatMap(({ waiting }) => waiting ?? [])
    .toSorted((one, other) => WAITING_KINDS.indexOf(one.kind) - WAITING_KINDS.indexOf(other.kind)),
};

export function registerRoutes(app: FastifyInstance, deps: Deps): void {
  for (const capability of capabilities) {
    capability.registerRoutes?.(app, { ...deps, ...contributions });
  }
}

export function registerConsoleRoutes(app: FastifyInstance, deps: Deps): void {
  for (const capability of capabilities) {
    capability.registerConsoleRoutes?.(app, { ...deps, ...contributions });
  }
}

/** The health routes, for programs that serve nothing else of the wallet. */
export const registerHealthRoutes = health.registerRoutes;

/** The jobs of all capabilities by lane. */
export function createTasks(deps: Deps): Required<TasksByLane> {
  const parts: TasksByLane[] = [
    createLimitsTasks(deps),
    createFactorsTasks(deps),
    createFailedJobsTasks(deps),
    ...capabilities.map(
      (capability) => capability.createTasks?.({ ...deps, ...contributions }) ?? {},
    ),
  ];
  return {
    money: Object.assign({}, ...parts.map(({ money }) => money)),
    mail: Object.assign({}, ...parts.map(({ mail }) => mail)),
    upkeep: Object.assign({}, ...parts.map(({ upkeep }) => upkeep)),
    verification: Object.assign({}, ...parts.map(({ verification }) => verification)),
  };
}

export const crontab = [
  limitsCrontab,
  factorsCrontab,
  failedJobsCrontab,
  ...capabilities.map((capability) => capability.crontab),
].join('');
