import { pino } from 'pino';
import { SECRET_PATHS, type Log } from '../src/platform/log.ts';

/** A log like the real one, whose lines a test reads. */
export function recordLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const redact = { paths: SECRET_PATHS, censor: '[secret]' };
  const log = pino({ level: 'debug', redact }, { write: (line) => void lines.push(line) });
  return { log, lines };
}
