/** The door of reports: figures of every hour, and the dashboard that shows them. */
import type { Capability } from '../../capability.ts';
import { countDormant } from './dormant.ts';
import { rebuild } from './rebuild.ts';
import { registerReportRoutes, type ReportDeps } from './reports.routes.ts';
import { rollLedger, rollSources, type RollDeps } from './roll.ts';
import { wasCountedElsewhere } from './stats.sql.ts';
import type {} from './tables.ts';

/** If the programme's time zone was changed, hours and days begin at other times, so everything is counted again first. */
async function rollWith(deps: RollDeps, roll: (deps: RollDeps) => Promise<void>): Promise<void> {
  if (await wasCountedElsewhere(deps.db, deps.config.console.timeZone)) await rebuild(deps);
  await roll(deps);
}

export const reports = {
  registerConsoleRoutes: registerReportRoutes,
  createTasks: (deps: RollDeps) => ({
    upkeep: {
      reports_ledger: () => rollWith(deps, rollLedger),
      reports_roll: () => rollWith(deps, rollSources),
      reports_rebuild: () => rebuild(deps),
      reports_dormant: () => countDormant(deps),
    },
  }),
  // All of these jobs use one queue, so that nothing is counted while everything is counted again.
  crontab: `
* * * * * reports_ledger ?jobKey=reports_ledger&queue=reports&max=3
*/5 * * * * reports_roll ?jobKey=reports_roll&queue=reports&max=3
31 2 * * * reports_dormant ?jobKey=reports_dormant&queue=reports&max=3
`,
} satisfies Capability<ReportDeps & RollDeps>;
