import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { standardOutput } from './log-output.ts';

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

const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

const CAUSES_MAX = 5;

/**
 * Reduces an error to its message, code and stack. Drivers attach whole connections, rows, envelopes and responses to their
 * errors, none of which belongs in a log. The code is an SQLSTATE or a name of the operating system such as ECONNRESET. It is logged as
 * `errorCode`, since every `code` is redacted.
 */
function errorWords(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const errorCode = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name,
    message,
    ...(errorCode === undefined ? {} : { errorCode }),
    stack,
    ...(cause === undefined || depth === CAUSES_MAX ? {} : { cause: errorWords(cause, depth + 1) }),
  };
}

const hasAlarm = (facts: unknown): facts is { readonly alarm: string } =>
  typeof facts === 'object' &&
  facts !== null &&
  'alarm' in facts &&
  typeof facts.alarm === 'string';

const ALARM_LEVEL_MIN = 40;

/** The process that wrote a line, for collections of the lines of many processes. */
interface LogProcess {
  readonly host: string;
  readonly pid: number;
  readonly version: string;
}

/** Logs JSON lines to standard output. Calls `onAlarm` for each line with an alarm. */
export function createLog(
  level: string,
  destination: DestinationStream = standardOutput,
  onAlarm?: (alarm: string) => void,
  process?: LogProcess,
): Log {
  const options: LoggerOptions = {
    level,
    base: process === undefined ? null : { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
    serializers: { err: errorWords },
    hooks: {
      logMethod(given, method, lineLevel) {
        const [facts] = given as readonly unknown[];
        if (lineLevel >= ALARM_LEVEL_MIN && hasAlarm(facts)) onAlarm?.(facts.alarm);
        method.apply(this, given);
      },
    },
  };
  return pino(options, destination);
}
