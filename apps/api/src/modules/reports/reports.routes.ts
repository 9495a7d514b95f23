import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { Contributions } from '../../capability.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { may } from '../../platform/console/signed-in-staff.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { createDashboardMoney } from './dashboard-money.ts';
import { readMerchantStatement } from './merchant-statement.ts';
import { createDashboards, type DashboardDeps } from './dashboard.ts';

export type ReportDeps = ConsoleDeps & DashboardDeps & Pick<Contributions, 'waitingSources'>;

export function registerReportRoutes(app: FastifyInstance, deps: ReportDeps): void {
  const readDashboard = createDashboards(deps);
  consoleEndpoint(app, deps, consoleApi.dashboard, ({ staff, query }) =>
    readDashboard(staff, query),
  );

  const readMoney = createDashboardMoney(deps);
  consoleEndpoint(app, deps, consoleApi.dashboardMoney, ({ query }) => readMoney(query));

  consoleEndpoint(app, deps, consoleApi.merchantStatement, ({ params, query }) =>
    readMerchantStatement(deps, { ...params, ...query }),
  );

  consoleEndpoint(app, deps, consoleApi.waiting, async ({ staff }) => {
    const sources = deps.waitingSources.filter(({ permission }) => may(staff, permission));
    const found = await Promise.all(
      // `capabilities.ts` checks that the program has the dependencies of each source.
      sources.map(async ({ kind, count }) => ({ kind, ...(await count(deps as never, staff)) })),
    );
    return {
      items: found
        .filter(({ count }) => count > 0)
        .map(({ kind, count, isAtLeast, dueAt }) => ({
          kind,
          count,
          is_at_least: isAtLeast,
          due_at: dueAt?.toISOString() ?? null,
        })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.rebuildReports, async ({ tx, record }) => {
    await record({ subjectId: 'all' });
    await enqueueJob(tx, 'reports_rebuild', {}, { key: 'reports_rebuild', queue: 'reports' });
    return { success: true as const };
  });
}
