import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the process id into the data directory and replaces a file left by a killed process. The file only informs
 * people and launchers; the port and SQLite's lock prevent a second sandbox. Returns a function that removes the
 * file.
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
