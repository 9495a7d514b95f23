/** The door of legal: the versions of the legal texts, and which terms a customer has accepted. */
import type { FastifyInstance } from 'fastify';
import { timelineSlice, type Capability, type TimelineSource } from '../../capability.ts';
import { registerLegalConsole, type LegalConsoleDeps } from './legal.console.routes.ts';
import { registerLegalRoutes, type LegalDeps } from './legal.routes.ts';
import { eraseAcceptances, selectAcceptances } from './legal.sql.ts';
import { publishAction } from './publish-text.ts';
import type {} from './tables.ts';

export { insertAcceptance, selectAcceptanceAt, selectPublished } from './legal.sql.ts';
export {
  createReadLegalTexts,
  hasAccepted,
  labelInForce,
  textInForce,
  type ReadLegalTexts,
} from './texts-in-force.ts';

const timeline: TimelineSource = {
  kinds: ['terms'],
  async read(db, page) {
    const { userId, limit, position } = page;
    const rows = await selectAcceptances(db, userId, { beforeLabel: position, limit: limit + 1 });
    const entries = rows.map(({ label, at }) => ({
      kind: 'terms' as const,
      id: label,
      at: at.toISOString(),
      data: { version: label },
    }));
    return timelineSlice(entries, page);
  },
};

export const legal = {
  registerRoutes: registerLegalRoutes,
  registerConsoleRoutes: (app: FastifyInstance, deps: LegalConsoleDeps) =>
    registerLegalConsole(app, deps),
  timeline,
  eraseUser: eraseAcceptances,
  actions: [publishAction],
} satisfies Capability<LegalDeps & LegalConsoleDeps>;
