/** Loaded into an API process before the program (`node --import`): the barrier writes nothing, so no commit waits for a standby. */
import pg from 'pg';
import { BARRIER } from '../../apps/api/src/platform/database/early-commit.ts';

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the client as `this` below
const query = pg.Client.prototype.query as (...words: unknown[]) => unknown;

const isBarrier = (statement: unknown): boolean =>
  typeof statement === 'object' &&
  statement !== null &&
  'name' in statement &&
  statement.name === BARRIER.name;

pg.Client.prototype.query = function (this: pg.Client, statement: object, ...rest: unknown[]) {
  const sent = isBarrier(statement) ? { ...statement, text: 'select null, null' } : statement;
  return query.call(this, sent, ...rest);
} as typeof pg.Client.prototype.query;
