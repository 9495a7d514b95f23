/** A topic of the configuration: settings that are read and checked together. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** The environment without its empty variables. */
export type Given = Readonly<Record<string, string>>;

/** Settings by their name in the code: the environment variable and its schema. */
type Fields = Readonly<Record<string, readonly [variable: string, schema: z.ZodType]>>;
type Values<F extends Fields> = { readonly [K in keyof F]: z.output<F[K][1]> };

/** `value` is undefined if the topic has faults. Each fault names its variable. */
export type Topic<T> = (given: Given) => {
  readonly faults: readonly string[];
  readonly value: T | undefined;
};

interface TopicRules<F extends Fields, T> {
  /** Faults that the schema of a single setting cannot find. */
  readonly faults?: (given: Given) => readonly string[];
  readonly build: (values: Values<F>) => T;
}

export function topic<const F extends Fields, T>(
  fields: F,
  { faults: otherFaults, build }: TopicRules<F, T>,
): Topic<T> {
  return (given) => {
    const faults: string[] = [];
    const values: Record<string, unknown> = {};
    for (const [name, [variable, schema]] of Object.entries(fields)) {
      const parsed = schema.safeParse(given[variable]);
      if (parsed.success) values[name] = parsed.data;
      for (const { message } of parsed.error?.issues ?? []) {
        faults.push(`${variable}: ${variable in given ? message : 'is missing'}`);
      }
    }
    const isWellFormed = faults.length === 0;
    faults.push(...(otherFaults?.(given) ?? []));
    return { faults, value: isWellFormed ? build(values as Values<F>) : undefined };
  };
}

export const isProduction = (given: Given): boolean => given['NODE_ENV'] === 'production';

/** Whether real people pay real money: in production, unless it is a rehearsal (`rehearsal.ts`). */
export const isLive = (given: Given): boolean => isProduction(given) && !isRehearsal(given);

export const isRehearsal = (given: Given): boolean => given['REHEARSAL'] === '1';

/**
 * The secrets. Each may be given as a file instead, `NAME_FILE`, as service managers and orchestrators pass them: other processes of
 * the machine cannot see it, and child processes do not inherit it.
 */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'SIGNING_KEYS',
  'QR_SIGNING_KEYS',
  'DATA_KEYS',
  'RECEIPT_KEY',
  'HASHING_KEYS',
  'HASHING_KEY',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'MEDIA_S3_ACCESS_KEY_ID',
  'MEDIA_S3_SECRET_ACCESS_KEY',
  'ANCHOR_S3_ACCESS_KEY_ID',
  'ANCHOR_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/**
 * The environment without empty variables, which count as absent, since that is how compose files unset one, and with the secrets
 * read from their files.
 */
export function readGiven(variables: Readonly<Record<string, string | undefined>>): {
  readonly given: Given;
  readonly faults: readonly string[];
} {
  const given: Record<string, string> = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(variables)) if (value) given[name] = value;
  for (const name of SECRETS) {
    const variable = `${name}_FILE`;
    const file = given[variable];
    if (file === undefined) continue;
    delete given[variable];
    if (given[name] !== undefined) {
      faults.push(`${name}: is given twice, also as ${variable}; give one of them`);
      continue;
    }
    const text = isReadable(file) ? readFileSync(file, 'utf8').trim() : undefined;
    if (text === undefined) faults.push(`${variable}: names a file that cannot be read`);
    else if (text === '') faults.push(`${variable}: names a file that is empty`);
    else given[name] = text;
  }
  return { given, faults };
}

/** Whether a file is there, and this process may read it. */
export function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** In production, all traffic over the network must be encrypted. */
export const plainAddressFaults = (given: Given, variable: string): string[] =>
  isProduction(given) && given[variable]?.toLowerCase().startsWith('http:') === true
    ? [`${variable}: must be an https address`]
    : [];

/** The faults of settings that must be set together if only some of them are set. */
export function missingOf(given: Given, what: string, variables: readonly string[]): string[] {
  const missing = variables.filter((variable) => given[variable] === undefined);
  return missing.length === variables.length
    ? []
    : missing.map((variable) => `${variable}: is missing; the settings of ${what} come together`);
}

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform((text) => parseInt(text, 10))
    .refine(
      (value) => value >= min && value <= max,
      `must be a whole number from ${min} to ${max}`,
    );

export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

export const bucketName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket');

export const bucketRegion = z
  .string()
  .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as "eu-central-1"')
  .default('us-east-1');

/** Several values, separated by commas. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
