/** Tells Prometheus of a drill that succeeded, in a file for node-exporter's textfile collector. */
import { renameSync, writeFileSync } from 'node:fs';
import type { Copy } from './restore.ts';

/** A failed drill leaves the file as it is, so the alarm `RestoreDrillOld` sees the age of the last success. */
export function noteSuccess(
  file: string,
  { rpoSeconds, rtoSeconds }: Pick<Copy, 'rpoSeconds' | 'rtoSeconds'>,
): void {
  const values = {
    athos_restore_drill_success_timestamp_seconds: Math.floor(Date.now() / 1_000),
    athos_restore_drill_rpo_seconds: rpoSeconds,
    athos_restore_drill_rto_seconds: rtoSeconds,
  };
  const lines = Object.entries(values).map(
    ([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`,
  );
  // The collector must not read half a file.
  writeFileSync(`${file}.part`, lines.join(''));
  renameSync(`${file}.part`, file);
}
