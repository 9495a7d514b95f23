import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Properties whose values are redacted anywhere in a logged object. */
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

const CAUSES_MAX = 5;

/**
 * Reduces an error to its message, code and stack. Drivers attach whole connections, rows, envelopes and responses to their
 * errors, none of which belongs in a log.
 */
function errorWords(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined || depth === CAUSES_MAX ? {} : { cause: errorWords(cause, depth + 1) }),
  };
}

/** Logs JSON lines to standard output. */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination(1),
): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: errorWords },
  };
  return pino(options, destination);
}
