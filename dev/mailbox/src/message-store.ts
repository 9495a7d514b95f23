import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from './message.ts';

const ID_DIGITS = 10;
const FILE_NAME = /^\d{10}\.json$/;

export interface StoreLimits {
  readonly messagesMax: number;
  readonly bytesMax: number;
}

interface Kept {
  readonly message: Message;
  readonly bytes: number;
}

/** Mails in a folder, one file each, so that they survive a restart. Beyond a limit the oldest are deleted. */
export class MessageStore {
  readonly #dir: string;
  readonly #limits: StoreLimits;
  /** Newest first. */
  readonly #kept: Kept[] = [];
  #lastId = 0;

  constructor(dir: string, limits: StoreLimits) {
    this.#dir = dir;
    this.#limits = limits;
    mkdirSync(dir, { recursive: true });
    for (const name of readdirSync(dir).sort().reverse()) this.#load(name);
    this.#lastId = Number(this.#kept[0]?.message.id ?? 0);
    this.#forgetOldest();
  }

  nextId(): string {
    this.#lastId += 1;
    return String(this.#lastId).padStart(ID_DIGITS, '0');
  }

  /** Rejects with the file system's error, such as a full disk; the sender must then keep the mail. */
  add(message: Message): void {
    const content = JSON.stringify(message);
    const file = this.#fileOf(message.id);
    // Written to another name and renamed, so that after a crash a mail is whole or absent.
    writeFileSync(`${file}.new`, content, { mode: 0o600 });
    renameSync(`${file}.new`, file);
    this.#kept.push({ message, bytes: Buffer.byteLength(content) });
    // Mails are parsed concurrently and may finish out of order.
    this.#kept.sort((a, b) => b.message.id.localeCompare(a.message.id));
    this.#forgetOldest();
  }

  get(id: string): Message | undefined {
    return this.#kept.find(({ message }) => message.id === id)?.message;
  }

  /** Newest first. `receiver` is compared regardless of case. */
  list(receiver: string | undefined, countMax: number): Message[] {
    const wanted = receiver?.trim().toLowerCase();
    return this.#kept
      .map(({ message }) => message)
      .filter(({ to }) => wanted === undefined || to.split(', ').includes(wanted))
      .slice(0, countMax);
  }

  #load(name: string): void {
    const file = join(this.#dir, name);
    if (!FILE_NAME.test(name)) {
      if (name.endsWith('.json.new')) rmSync(file, { force: true });
      return;
    }
    const content = readFileSync(file, 'utf8');
    try {
      this.#kept.push({
        message: JSON.parse(content) as Message,
        bytes: Buffer.byteLength(content),
      });
    } catch {
      // The machine stopped before the content reached the disk.
      rmSync(file, { force: true });
    }
  }

  #forgetOldest(): void {
    let bytes = this.#kept.reduce((sum, kept) => sum + kept.bytes, 0);
    while (this.#kept.length > this.#limits.messagesMax || bytes > this.#limits.bytesMax) {
      const oldest = this.#kept.pop();
      if (oldest === undefined) return;
      bytes -= oldest.bytes;
      rmSync(this.#fileOf(oldest.message.id), { force: true });
    }
  }

  #fileOf(id: string): string {
    return join(this.#dir, `${id}.json`);
  }
}
