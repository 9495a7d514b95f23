/** The views of lists that staff save for themselves. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { VIEWS_MAX } from '@athos/contract/console/views';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockStaff } from '../people/people.sql.ts';
import { countViews, deleteView, selectViews, upsertView } from './views.sql.ts';

export function registerViewRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.savedViews, async ({ query, staff }) => ({
    items: await selectViews(deps.db, staff.staffId, query.list),
  }));

  consoleEndpoint(app, deps, consoleApi.saveView, async ({ tx, body, staff, record }) => {
    // Without the lock, two concurrent calls would both find room for the last view.
    await lockStaff(tx, staff.staffId);
    const view = await upsertView(tx, { staff_id: staff.staffId, ...body });
    if ((await countViews(tx, staff.staffId)) > VIEWS_MAX) {
      throw new AppError('invalid_request', {
        detail: `You have ${VIEWS_MAX} saved views. Remove one first.`,
      });
    }
    await record({ subjectId: view.id, after: body });
    return view;
  });

  consoleEndpoint(app, deps, consoleApi.removeView, async ({ tx, params, staff, record }) => {
    const removed = await deleteView(tx, staff.staffId, params.id);
    if (removed === undefined) throw new AppError('not_found');
    await record({ subjectId: params.id, before: removed });
    return { success: true };
  });
}
