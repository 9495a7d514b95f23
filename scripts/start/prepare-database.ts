import { migrate } from '../../apps/api/src/migrate.ts';
import { createLog } from '../../apps/api/src/platform/log.ts';

/** Brings the schema up to date, before any program that relies on it starts. */
export async function prepareDatabase(env: Readonly<Record<string, string>>): Promise<void> {
  const isProduction = env['NODE_ENV'] === 'production';
  await migrate(env['DATABASE_URL'] ?? '', createLog(isProduction ? 'info' : 'error'));
}
