import { createLog, type Log } from '../src/platform/log/log.ts';

/** The real log, whose lines a test reads. */
export function recordLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog('debug', { write: (line) => void lines.push(line) }), lines };
}
