import { closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const BYTES_MAX = 10_000_000;

/** Appends lines to a file and keeps at most one older file, so that the logs cannot fill the disk. */
export class LogFile {
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
