/** The door of holds, with which staff, disputes, warnings and debts stop some actions of a user. */
import type { Capability } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';
import { eraseHolds } from './holds.sql.ts';
import { registerHoldRoutes } from './holds.routes.ts';
import { releaseAction } from './release-hold.ts';
import { liftEnded, pruneHolds, requireNoHold, type HoldDeps } from './holds.ts';
import type {} from './tables.ts';

export { selectHeldKindsOf, standingHold, type HoldCause } from './holds.sql.ts';
export {
  accountRestricted,
  isHeld,
  liftHold,
  placeHold,
  requireNotHeld,
  type HoldDeps,
} from './holds.ts';
export { placeHoldByStaff } from './place-by-staff.ts';

export const holds = {
  registerConsoleRoutes: registerHoldRoutes,
  createTasks: (deps: HoldDeps & { readonly db: Db }) => ({
    money: { holds_lift_ended: () => liftEnded(deps) },
    upkeep: { holds_prune: () => pruneHolds(deps) },
  }),
  crontab: `
* * * * * holds_lift_ended ?jobKey=holds_lift_ended&max=3
53 3 * * * holds_prune ?jobKey=holds_prune&max=3
`,
  deletionGuard: requireNoHold,
  eraseUser: eraseHolds,
  actions: [releaseAction],
} satisfies Capability<HoldDeps & Parameters<typeof registerHoldRoutes>[1]>;
