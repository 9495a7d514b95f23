import { createLog, type Log } from '../src/platform/log/log.ts';

/** The real log, with its lines recorded. */
export function recordLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog('debug', { write: (line) => void lines.push(line) }), lines };
}
