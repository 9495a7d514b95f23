/** The door of legal: the versions of the legal texts, and which terms a customer has accepted. */
import type { FastifyInstance } from 'fastify';
import type { Capability } from '../../capability.ts';
import { registerLegalConsole, type LegalConsoleDeps } from './legal.console.routes.ts';
import { registerLegalRoutes, type LegalDeps } from './legal.routes.ts';
import { eraseAcceptances } from './legal.sql.ts';
import { publishAction } from './publish-text.ts';
import type {} from './tables.ts';

export { insertAcceptances, selectPublished } from './legal.sql.ts';
export {
  createReadLegalTexts,
  hasAccepted,
  labelInForce,
  textInForce,
  type ReadLegalTexts,
} from './texts-in-force.ts';

export const legal = {
  registerRoutes: registerLegalRoutes,
  registerConsoleRoutes: (app: FastifyInstance, deps: LegalConsoleDeps) =>
    registerLegalConsole(app, deps),
  eraseUser: eraseAcceptances,
  actions: [publishAction],
} satisfies Capability<LegalDeps & LegalConsoleDeps>;
