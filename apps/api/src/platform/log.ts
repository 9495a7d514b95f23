import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Names whose values are secrets wherever they stand in a logged object. */
const SECRET_NAMES = [
  'password',
  'new_password',
  'old_password',
  'token',
  'code',
  'authorization',
  'client_secret',
];

export const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** JSON lines on stdout. Requests are logged by path without query, since a query may hold a token or a code. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
  });
}
