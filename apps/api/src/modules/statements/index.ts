/** The door of statements: the movements of a balance in a month, and the balance over time. */
import type { Capability } from '../../capability.ts';
import { registerStatementRoutes } from './statements.routes.ts';

export const statements = {
  registerRoutes: registerStatementRoutes,
} satisfies Capability<Parameters<typeof registerStatementRoutes>[1]>;
