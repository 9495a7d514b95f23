/** The door of exports: lists and persons' data as files. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Capability } from '../../capability.ts';
import { createCustomerTimeline, type TimelineDeps } from '../customers/index.ts';
import { endExportsOf } from './exports.sql.ts';
import { registerExportRoutes, type ExportRouteDeps } from './exports.routes.ts';
import { contactsAction } from './request-export.ts';
import { deleteEndedFiles, runExport, type ExportDeps } from './run-export.ts';
import type {} from './tables.ts';

const ofExport = z.object({ id: z.string() });

export const exports = {
  registerConsoleRoutes: (app: FastifyInstance, deps: ExportRouteDeps) =>
    registerExportRoutes(app, deps),
  createTasks(deps: Omit<ExportDeps, 'timelineSources'> & TimelineDeps) {
    const parts = { ...deps, timelineSources: createCustomerTimeline(deps) };
    return {
      upkeep: {
        export_run: (payload: unknown) => runExport(parts, ofExport.parse(payload).id),
        exports_delete_ended: () => deleteEndedFiles(parts),
      },
    };
  },
  crontab: `
7,17,27,37,47,57 * * * * exports_delete_ended ?jobKey=exports_delete_ended&max=3
`,
  eraseUser: endExportsOf,
  actions: [contactsAction],
} satisfies Capability<ExportRouteDeps & ExportDeps & TimelineDeps>;
