/** Written by `npm run routes -w packages/contract` from src/console/calls.ts. */
export const consoleRoutes = {
  consoleDocument: 'GET /admin/openapi.json',
  auditEntries: 'GET /admin/audit',
  auditEntry: 'GET /admin/audit/:id',
} as const;

/** The permission that each call needs; null for those of a guest. */
export const consolePermissions = {
  consoleDocument: 'own',
  auditEntries: 'audit.read',
  auditEntry: 'audit.read',
} as const;
