import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from './server.ts';
import { readSettings, SettingsError } from './settings.ts';

const closeDeadlineMs = 5000;

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function describeStartError(error: unknown, port: number, dataDir: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program: set SANDBOX_PORT to a free one.`;
  }
  if (error instanceof Error && error.message === 'database is locked') {
    return `Another sandbox runs over the folder ${dataDir}: stop it, or set SANDBOX_DATA_DIR.`;
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ERR_SQLITE_ERROR'].includes(code)) {
    const reason = error instanceof Error ? error.message : code;
    return `The sandbox cannot use its port ${port} or its folder ${dataDir}: ${reason}`;
  }
  return `The card sandbox cannot start: ${error instanceof Error ? error.stack : String(error)}`;
}

/**
 * Writes the process id into the data directory and replaces a file left by a killed process. The file only informs
 * people and launchers; the port and SQLite's lock prevent a second sandbox. Returns a function that removes the
 * file.
 */
function holdPidFile(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'sandbox.pid');
  const own = String(process.pid);
  writeFileSync(path, `${own}\n`);
  return () => {
    if (readFileSync(path, 'utf8').trim() === own) rmSync(path);
  };
}

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  let release: () => void;
  let running: Awaited<ReturnType<typeof startSandbox>>;
  try {
    running = await startSandbox(settings);
    release = holdPidFile(settings.dataDir);
  } catch (error) {
    fail(describeStartError(error, settings.port, settings.dataDir));
  }
  const stop = (): void => {
    // A request that never ends must not keep the process alive.
    setTimeout(() => process.exit(1), closeDeadlineMs).unref();
    void running.close().then(() => {
      release();
      process.exit(0);
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, url: running.url })}\n`);
}

try {
  await main();
} catch (error) {
  fail(error instanceof SettingsError ? error.message : String(error));
}
