import { write, writeSync } from 'node:fs';

/** How much may wait for an output that accepts nothing, such as a full disk. Later lines are dropped. */
const WAITING_CHARS_MAX = 1_000_000;
const RETRY_MS = 50;

/**
 * Writes lines to a file descriptor, in order and without blocking the event loop. An output that fails costs lines, never the program:
 * they wait, are dropped once too many wait, and are written when the output accepts some again.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting = '';
  /** Being written, or left over from a write that failed. */
  #chunk = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'pausing' = 'idle';
  /** Since the output last accepted something. */
  #droppedCount = 0;
  /** Called for the first line of those that are dropped one after the other. */
  onDrop: (() => void) | undefined;
  /** Called with the number of dropped lines when the output accepts some again. */
  onRecovery: ((droppedCount: number) => void) | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** `line` ends with a line break. */
  write(line: string): void {
    if (this.#waiting.length + line.length > WAITING_CHARS_MAX) {
      this.#droppedCount += 1;
      if (this.#droppedCount === 1) this.onDrop?.();
      return;
    }
    this.#waiting += line;
    if (this.#state === 'idle') this.#writeNext();
  }

  /** Tries once to write what waits, for a process that ends. What is being written at the moment is written by its own call. */
  flush(): void {
    const rest = Buffer.from(this.#waiting);
    this.#waiting = '';
    try {
      writeSync(this.#fd, this.#state === 'writing' ? rest : Buffer.concat([this.#chunk, rest]));
    } catch {
      // The process ends without these lines, because waiting for a full disk or a reader could take for ever.
    }
  }

  #writeNext(): void {
    this.#state = 'writing';
    if (this.#chunk.length === 0) {
      this.#chunk = Buffer.from(this.#waiting);
      this.#waiting = '';
      this.#reportDropped();
    }
    write(this.#fd, this.#chunk, (error, count) => {
      if (error !== null) {
        this.#state = 'pausing';
        setTimeout(() => this.#writeNext(), RETRY_MS).unref();
        return;
      }
      this.#chunk = this.#chunk.subarray(count);
      if (this.#chunk.length > 0 || this.#waiting !== '') this.#writeNext();
      else this.#state = 'idle';
    });
  }

  /** Called when nothing waits, so that the line which tells of it has room. */
  #reportDropped(): void {
    if (this.#droppedCount === 0) return;
    const count = this.#droppedCount;
    this.#droppedCount = 0;
    this.onRecovery?.(count);
  }
}

/**
 * The only writer of this process's standard output. Reading `process.stdout` makes a pipe or socket non-blocking, so that a write fails if
 * its reader has stopped. Otherwise it would not return, and `process.exit` would wait for it.
 */
export const standardOutput = new LogOutput(process.stdout.fd);
process.once('exit', () => standardOutput.flush());
