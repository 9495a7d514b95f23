import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An unguessable id in the provider's format: a prefix and 24 letters or digits. */
export function createId(prefix: string): string {
  let id = prefix;
  for (let index = 0; index < 24; index += 1) id += alphabet[randomInt(alphabet.length)];
  return id;
}

/** The id from a field that holds either an id or the expanded object; `''` for null. */
export function readId(field: string | { id: string } | null): string {
  return typeof field === 'string' ? field : (field?.id ?? '');
}
