import { createLog, type Log } from '../src/platform/log/log.ts';

/** Creates the real log and records its lines. */
export function recordLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { log: createLog('debug', { write: (line) => void lines.push(line) }), lines };
}
