import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BYTES_MAX = 10_000_000;
/**
 * Marks log lines of a program that need a person's attention. External texts are JSON strings, in which quotes are escaped, so they cannot
 * contain it.
 */
const ALARM = '"alarm":"';

/** Appends lines to a file and keeps at most one older file, so that the logs cannot fill the disk. */
class LogFile {
  readonly path: string;
  #descriptor: number;
  #bytes: number;

  constructor(path: string) {
    this.path = path;
    this.#bytes = existsSync(path) ? statSync(path).size : 0;
    this.#descriptor = openSync(path, 'a', 0o600);
  }

  write(line: string): void {
    this.#bytes += writeSync(this.#descriptor, `${line}\n`);
    if (this.#bytes < BYTES_MAX) return;
    closeSync(this.#descriptor);
    renameSync(this.path, `${this.path}.1`);
    this.#descriptor = openSync(this.path, 'a', 0o600);
    this.#bytes = 0;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The log of a program, with its alarms in a second file, so that a flood of requests cannot rotate them out. */
export class ProgramLog {
  readonly #all: LogFile;
  readonly #alarms: LogFile;

  constructor(logsDir: string, name: string) {
    this.#all = new LogFile(join(logsDir, `${name}.log`));
    this.#alarms = new LogFile(join(logsDir, `${name}-alarms.log`));
  }

  write(line: string): void {
    this.#all.write(line);
    if (line.includes(ALARM)) this.#alarms.write(line);
  }

  close(): void {
    this.#all.close();
    this.#alarms.close();
  }
}
