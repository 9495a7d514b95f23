/** Settings from the environment: read once, here only. Every fault is listed, then the process ends. */
import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { parseRate, type Rate } from '@athos/domain/money';
import {
  groupFaults,
  liveKeyFaults,
  productionFaults,
  SEED_BYTES,
  STRIPE_API_URL,
  STRIPE_SCRIPT_URL,
} from './faults.ts';
import { listed } from './listed.ts';
import {
  nativeAppFields,
  nativeAppOf,
  type NativeAppSettings,
} from '../platform/http/native-app.ts';
import type { PictureStorageSettings } from '../platform/storage/picture-storage.ts';

export type RateSource =
  | { readonly kind: 'fixed'; readonly usdPerAth: Rate }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'walk' };

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform((text) => parseInt(text, 10))
    .refine(
      (value) => value >= min && value <= max,
      `must be a whole number from ${min} to ${max}`,
    );

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const seeds = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const seed = Buffer.from(part.trim(), 'base64url');
    if (seed.length !== SEED_BYTES) {
      context.addIssue(
        'must be 32 random bytes as base64url; several, separated by commas, to rotate',
      );
    }
    return seed;
  }),
);

/** An IP address, alone or with the length of a network's prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : 0;
  const isPrefix =
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && parseInt(prefix, 10) <= bits);
  return bits > 0 && isPrefix && rest.length === 0;
}

const rateSource = z.string().transform((text, context): RateSource => {
  if (text === 'walk') return { kind: 'walk' };
  if (/^https?:\/\//.test(text)) return { kind: 'url', url: text };
  const usdPerAth = parseRate(text);
  if (usdPerAth !== undefined) return { kind: 'fixed', usdPerAth };
  context.addIssue(
    'must be a number of US dollars per ATH, the address of a JSON document, or "walk"',
  );
  return z.NEVER;
});

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  PUBLIC_URL: webUrl.optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }),
  /** Ed25519 seeds of tokens and QR codes. The first signs. */
  SIGNING_KEYS: seeds,
  /** Keys the hashes of network addresses and devices. */
  HASHING_KEY: z.string().min(32, 'must have at least 32 characters'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }),
  MAIL_FROM: z
    .string()
    .min(3, 'must be the sender of our mails, such as "Rewards <rewards@example.com>"'),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of the card provider'),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of the card provider'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+$/, 'must be the signing secret of the webhook endpoint'),
  STRIPE_API_URL: webUrl.default(STRIPE_API_URL),
  STRIPE_SCRIPT_URL: webUrl.default(STRIPE_SCRIPT_URL),
  RATE_SOURCE: rateSource,
  /** A rate that its source has not confirmed for longer makes buying unavailable. */
  RATE_MAX_AGE_SECONDS: wholeNumber(10, 86_400).default(300),
  /** Folder of the built wallet. Without it the API serves no pages. */
  STATIC_DIR: z.string().optional(),
  /** Folder of the built scanner app, which staff open at /scanner. */
  SCANNER_STATIC_DIR: z.string().optional(),
  /** `off` makes every browser drop the wallet's service worker with all that it keeps (docs/decisions/0011-offline.md). */
  SERVICE_WORKER: z.enum(['on', 'off']).default('on'),
  /** Addresses of proxies whose X-Forwarded-For is believed, separated by commas. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(listed)
    .refine(
      (parts) => parts.every(isNetwork),
      'must be addresses or networks such as "10.0.0.1, 10.1.0.0/16", separated by commas',
    ),
  /** Where page views go, for those who allow it: the events address of a Plausible, and the site's name there. */
  ANALYTICS_URL: webUrl.optional(),
  ANALYTICS_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}$/i, 'must be the name of the site, such as "wallet.example.com"')
    .optional(),
  ...nativeAppFields,
  /** Folder of the catalogue's pictures. Several machines need one that all of them see, or a bucket. */
  MEDIA_DIR: z.string().default('data/media'),
  /** The four of a bucket together; they go before MEDIA_DIR. */
  MEDIA_S3_ENDPOINT: webUrl.optional(),
  MEDIA_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  MEDIA_S3_ACCESS_KEY_ID: z.string().optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional(),
  MEDIA_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region, such as "eu-central-1"')
    .default('us-east-1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  SIGN_IN_FREE_FAILURES: wholeNumber(1, 1000).default(5),
  SIGN_IN_DELAY_MAX_SECONDS: wholeNumber(1, 3600).default(60),
  SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR: wholeNumber(1, 1_000_000).default(300),
  /** Who has been signed in for so long proves the password again. */
  SESSION_DAYS_MAX: wholeNumber(1, 365).default(30),
  /** Sign-ups and forgotten passwords, whoever they name. */
  MAIL_REQUESTS_PER_ADDRESS_AND_HOUR: wholeNumber(1, 1_000_000).default(2_000),
  PASSWORD_HASHES_AT_ONCE: wholeNumber(1, 64).default(1),
  PAYMENTS_PER_MINUTE: wholeNumber(1, 10_000).default(20),
  PAYMENTS_PER_HOUR: wholeNumber(1, 100_000).default(100),
  DECLINES_PER_HOUR: wholeNumber(1, 1000).default(5),
  /** Scans and redemptions of one member of staff at one process; five seconds' worth may come at once. */
  SCANS_PER_SECOND: wholeNumber(1, 10_000).default(20),
  /** Sends of one user at one process, and as many tips; five seconds' worth may come at once. */
  SENDS_PER_SECOND: wholeNumber(1, 10_000).default(100),
  /** Reward codes that were none. Of 2^75 codes even the last of these finds nothing in a lifetime. */
  REWARD_GUESSES_PER_ACCOUNT_AND_HOUR: wholeNumber(1, 1_000_000).default(10),
  REWARD_GUESSES_PER_ADDRESS_AND_HOUR: wholeNumber(1, 1_000_000).default(300),
  REWARD_GUESSES_PER_HOUR: wholeNumber(1, 1_000_000_000).default(20_000),
  /** The embedded start: demo data, sandbox and mailbox. Refused in production. */
  DEMO: z.enum(['0', '1']).default('0'),
});

type Environment = z.output<typeof environment>;

export interface Config {
  readonly isProduction: boolean;
  readonly isDemo: boolean;
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly signingSeeds: readonly Buffer[];
  readonly hashingKey: string;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly stripe: {
    readonly secretKey: string;
    readonly publishableKey: string;
    readonly webhookSecret: string;
    readonly apiUrl: string;
    readonly scriptUrl: string;
  };
  readonly rateSource: RateSource;
  readonly rateMaxAgeMs: number;
  readonly staticDir: string | undefined;
  readonly scannerStaticDir: string | undefined;
  readonly hasServiceWorker: boolean;
  readonly trustedProxies: readonly string[];
  /** Both or neither. */
  readonly analyticsUrl: string | undefined;
  readonly analyticsDomain: string | undefined;
  readonly nativeApp: NativeAppSettings;
  readonly pictureStorage: PictureStorageSettings;
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly limits: {
    readonly signInFreeFailures: number;
    readonly signInDelayMaxSeconds: number;
    readonly signInFailuresPerAddressAndHour: number;
    readonly sessionDaysMax: number;
    readonly mailRequestsPerAddressAndHour: number;
    readonly passwordHashesAtOnce: number;
    readonly paymentsPerMinute: number;
    readonly paymentsPerHour: number;
    readonly declinesPerHour: number;
    readonly scansPerSecond: number;
    readonly sendsPerSecond: number;
    readonly rewardGuessesPerAccountAndHour: number;
    readonly rewardGuessesPerAddressAndHour: number;
    readonly rewardGuessesPerHour: number;
  };
}

/** Thrown with every fault of the environment, one a line, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

function pictureStorageOf(env: Environment): PictureStorageSettings {
  const { MEDIA_S3_ENDPOINT: endpoint, MEDIA_S3_BUCKET: bucket } = env;
  const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (
    endpoint === undefined ||
    bucket === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
  ) {
    return { kind: 'folder', dir: env.MEDIA_DIR };
  }
  return {
    kind: 's3',
    endpoint: endpoint.replace(/\/+$/, ''),
    bucket,
    region: env.MEDIA_S3_REGION,
    accessKeyId,
    secretAccessKey,
  };
}

/** Throws ConfigError. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable counts as absent: so shells and compose files unset one.
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value) given[name] = value;
  const parsed = environment.safeParse(given);
  // All in one list: who mends the first fault must not meet the next one at the next start.
  const faults = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => {
      const name = path.map(String).join('.');
      return `${name}: ${name in given ? message : 'is missing'}`;
    }),
    ...(given['NODE_ENV'] === 'production' ? productionFaults(given) : []),
    ...liveKeyFaults(given),
    ...groupFaults(given),
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const env = parsed.data;
  return {
    isProduction: env.NODE_ENV === 'production',
    isDemo: env.DEMO === '1',
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    signingSeeds: env.SIGNING_KEYS,
    hashingKey: env.HASHING_KEY,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      apiUrl: env.STRIPE_API_URL,
      scriptUrl: env.STRIPE_SCRIPT_URL,
    },
    rateSource: env.RATE_SOURCE,
    rateMaxAgeMs: env.RATE_MAX_AGE_SECONDS * 1000,
    staticDir: env.STATIC_DIR,
    scannerStaticDir: env.SCANNER_STATIC_DIR,
    hasServiceWorker: env.SERVICE_WORKER === 'on',
    trustedProxies: env.TRUSTED_PROXIES,
    analyticsUrl: env.ANALYTICS_URL,
    analyticsDomain: env.ANALYTICS_DOMAIN,
    nativeApp: nativeAppOf(env),
    pictureStorage: pictureStorageOf(env),
    logLevel: env.LOG_LEVEL,
    limits: {
      signInFreeFailures: env.SIGN_IN_FREE_FAILURES,
      signInDelayMaxSeconds: env.SIGN_IN_DELAY_MAX_SECONDS,
      signInFailuresPerAddressAndHour: env.SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR,
      sessionDaysMax: env.SESSION_DAYS_MAX,
      mailRequestsPerAddressAndHour: env.MAIL_REQUESTS_PER_ADDRESS_AND_HOUR,
      passwordHashesAtOnce: env.PASSWORD_HASHES_AT_ONCE,
      paymentsPerMinute: env.PAYMENTS_PER_MINUTE,
      paymentsPerHour: env.PAYMENTS_PER_HOUR,
      declinesPerHour: env.DECLINES_PER_HOUR,
      scansPerSecond: env.SCANS_PER_SECOND,
      sendsPerSecond: env.SENDS_PER_SECOND,
      rewardGuessesPerAccountAndHour: env.REWARD_GUESSES_PER_ACCOUNT_AND_HOUR,
      rewardGuessesPerAddressAndHour: env.REWARD_GUESSES_PER_ADDRESS_AND_HOUR,
      rewardGuessesPerHour: env.REWARD_GUESSES_PER_HOUR,
    },
  };
}
