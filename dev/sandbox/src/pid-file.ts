import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes our process id into the data directory; a file left by a killed process is taken over.
 * It is a note for people and launchers: the port and SQLite's own locks keep two apart.
 * Returns the function that removes it.
 */
export function holdPidFile(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'sandbox.pid');
  const own = String(process.pid);
  writeFileSync(path, `${own}\n`);
  return () => {
    if (readFileSync(path, 'utf8').trim() === own) rmSync(path);
  };
}
