import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The names of the fields that the installed SDK's type declares as required. */
export function readRequiredFields(file: string, name: string): string[] {
  const entry = createRequire(import.meta.url).resolve('stripe');
  const path = join(dirname(entry), '..', 'esm', 'resources', `${file}.d.ts`);
  const source = readFileSync(path, 'utf8');
  const body = source.split(`export interface ${name} {`)[1]?.split('\n}')[0] ?? '';
  return [...body.matchAll(/^ {4}(\w+): /gm)].map((match) => match[1] ?? '');
}
