import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brand } from '@athos/brand/brand';
import { findFreePort, takePort } from '@athos/postgres/free-port';
import { ConfigError, readConfig, type Config } from '../../apps/api/src/config/config.ts';
import { readGiven } from '../../apps/api/src/config/topic.ts';
import { demoStaff } from '../../apps/api/src/seed/demo-staff.ts';
import { generateKeys, type Keys } from './keys.ts';
import { apps, dataPaths } from './paths.ts';
import { StartError } from './start-error.ts';

const PORT_DEFAULT = 8080;
const PORT_MAX = 65_535;

/** The parts that the start runs itself; false if the settings name an external one. */
export interface Embedded {
  readonly postgres: boolean;
  readonly mailbox: boolean;
  readonly sandbox: boolean;
}

export interface Settings {
  readonly dataDir: string;
  readonly isFresh: boolean;
  readonly isProduction: boolean;
  /** Whether the production programs run with the embedded parts of a development start (REHEARSAL=1). */
  readonly isRehearsal: boolean;
  readonly isDemo: boolean;
  readonly embedded: Embedded;
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
  /** Absent if no process of this start serves the console. */
  readonly consoleOrigin?: string;
  readonly mailboxPort: number;
  readonly smtpPort: number;
  readonly sandboxPort: number;
  /** The environment, without empty variables. */
  readonly given: Readonly<Record<string, string>>;
}

/**
 * Reads all settings before anything is started.
 * @throws StartError with every wrong setting, one per line
 */
export async function readSettings(
  variables: NodeJS.ProcessEnv,
  words: readonly string[],
): Promise<Settings> {
  const { given, faults: fileFaults } = readGiven(variables);
  const isProduction = given['NODE_ENV'] === 'production';
  const isRehearsal = isProduction && given['REHEARSAL'] === '1';
  const hasParts = !isProduction || isRehearsal;
  const embedded: Embedded = {
    postgres: hasParts && given['DATABASE_URL'] === undefined,
    mailbox: hasParts && given['SMTP_URL'] === undefined,
    // An incomplete set of the provider's settings is a mistake to be reported, not a reason to start the sandbox.
    sandbox: hasParts && !Object.keys(given).some((name) => name.startsWith('STRIPE_')),
  };
  const { isFresh, faults } = readWords(words, embedded);
  faults.push(...fileFaults);
  const readPort = (name: string): number | undefined => {
    const port = given[name] === undefined ? undefined : Number(given[name]);
    const isUsable =
      port === undefined || (Number.isInteger(port) && port >= 0 && port <= PORT_MAX);
    // PORT is also a setting of the API, which reports its faults.
    if (!isUsable && name !== 'PORT')
      faults.push(`${name}: must be a port number up to ${PORT_MAX}`);
    return isUsable ? port : undefined;
  };
  const host = given['HOST'] ?? '127.0.0.1';
  const port = (readPort('PORT') ?? PORT_DEFAULT) || (await findFreePort());
  const settings: Settings = {
    dataDir: resolve(given['DATA_DIR'] ?? 'data'),
    isFresh,
    isProduction,
    isRehearsal,
    // Its accounts have public passwords, so an external database gets them only with an explicit DEMO=1.
    isDemo: (given['DEMO'] ?? (embedded.postgres && !isRehearsal ? '1' : '0')) === '1',
    embedded,
    host,
    port,
    publicUrl: (given['PUBLIC_URL'] ?? `http://${host}:${port}`).replace(/\/+$/, ''),
    mailboxPort: await choosePort(readPort('MAILBOX_PORT'), port + 1),
    smtpPort: readPort('MAILBOX_SMTP_PORT') || (await findFreePort()),
    sandboxPort: await choosePort(readPort('SANDBOX_PORT'), port + 2),
    given,
  };
  const environment = apiEnvironment(settings, generateKeys(), 'postgres://127.0.0.1/athos');
  const config = readApiConfig(environment);
  if (config instanceof ConfigError) faults.push(...config.faults);
  if (faults.length > 0) {
    const list = faults.map((fault) => `  ${fault}`).join('\n');
    throw new StartError(`The settings are not usable:\n${list}`);
  }
  if (config instanceof ConfigError || config.console.mode !== 'with_api') return settings;
  return { ...settings, consoleOrigin: config.console.origin };
}

/** The API's complete environment: the given settings, and those of the embedded parts. */
export function apiEnvironment(
  settings: Settings,
  keys: Keys,
  embeddedDatabaseUrl: string,
): Record<string, string> {
  const { embedded, isProduction, isRehearsal, isDemo, given, publicUrl } = settings;
  const sandboxUrl = sandboxUrlOf(settings);
  const { SIGNING_KEYS, HASHING_KEY, DATA_KEYS, RECEIPT_KEY, ...cardKeys } = keys;
  return {
    STATIC_DIR: apps.wallet.distDir,
    SCANNER_STATIC_DIR: apps.scanner.distDir,
    CONSOLE_STATIC_DIR: apps.console.distDir,
    ...((!isProduction || isRehearsal) && { MEDIA_DIR: dataPaths(settings.dataDir).media }),
    EXPORT_DIR: dataPaths(settings.dataDir).exports,
    // Without another process that could take the requests, waiting would be pointless.
    DRAIN_SECONDS: '0',
    ...(embedded.postgres && { DATABASE_URL: embeddedDatabaseUrl }),
    ...(embedded.mailbox && { SMTP_URL: `smtp://127.0.0.1:${settings.smtpPort}` }),
    ...(embedded.sandbox && {
      ...cardKeys,
      STRIPE_API_URL: sandboxUrl,
      STRIPE_SCRIPT_URL: `${sandboxUrl}/endive/stripe.js`,
    }),
    ...((!isProduction || isRehearsal) && {
      SIGNING_KEYS,
      // If keys are configured, the generated one is not needed.
      ...(given['HASHING_KEYS'] === undefined && { HASHING_KEY }),
      DATA_KEYS,
      RECEIPT_KEY,
      MAIL_FROM: `${brand.mailSenderName} <${brand.supportAddress}>`,
      SEAL_MAIL_TO: brand.supportAddress,
    }),
    // A person who tries the system should not have to wait minutes for a receipt to become verifiable.
    ...(!isProduction && {
      RATE_SOURCE: 'walk',
      DEMO: isDemo ? '1' : '0',
      SEAL_AFTER_SECONDS: '10',
    }),
    ...(isRehearsal && {
      RATE_SOURCE: 'console',
      CONSOLE: 'with_api',
      // Passkeys require a host name, and the console its own origin.
      CONSOLE_URL: publicUrl.replace('//127.0.0.1', '//localhost'),
    }),
    ...given,
    PORT: /^\d+$/.test(given['PORT'] ?? '0') ? String(settings.port) : (given['PORT'] ?? ''),
    HOST: settings.host,
    PUBLIC_URL: isProduction && !isRehearsal ? (given['PUBLIC_URL'] ?? '') : publicUrl,
  };
}

export function sandboxUrlOf({ sandboxPort }: Settings): string {
  return `http://127.0.0.1:${sandboxPort}`;
}

export function sandboxEnvironment(settings: Settings, keys: Keys, dataDir: string) {
  return {
    ...nodeEnvironment(settings),
    SANDBOX_PORT: String(settings.sandboxPort),
    SANDBOX_DATA_DIR: dataDir,
    SANDBOX_WEBHOOK_URL: `http://${settings.host}:${settings.port}/api/webhooks/stripe`,
    SANDBOX_WEBHOOK_SECRET: keys.STRIPE_WEBHOOK_SECRET,
    SANDBOX_SECRET_KEY: keys.STRIPE_SECRET_KEY,
    SANDBOX_PUBLISHABLE_KEY: keys.STRIPE_PUBLISHABLE_KEY,
  };
}

export function mailboxEnvironment(settings: Settings, dataDir: string) {
  return {
    ...nodeEnvironment(settings),
    MAILBOX_PORT: String(settings.mailboxPort),
    MAILBOX_SMTP_PORT: String(settings.smtpPort),
    MAILBOX_DATA_DIR: dataDir,
    ...(settings.isDemo && {
      MAILBOX_PHONES: JSON.stringify(
        demoStaff.map(({ email, totpSecret }) => ({ account: email, secret: totpSecret })),
      ),
    }),
  };
}

/** The environment of programs that must not see our secrets. */
function nodeEnvironment({ given }: Settings) {
  return { PATH: given['PATH'], NODE_COMPILE_CACHE: given['NODE_COMPILE_CACHE'] };
}

function readWords(words: readonly string[], embedded: Embedded) {
  const faults: string[] = [];
  let isFresh = false;
  try {
    const { values } = parseArgs({ args: [...words], options: { fresh: { type: 'boolean' } } });
    isFresh = values.fresh ?? false;
  } catch {
    faults.push(`${words.join(' ')}: the only option is --fresh`);
  }
  if (isFresh && !embedded.postgres) {
    faults.push('--fresh: empties the embedded database only, never one named by DATABASE_URL');
  }
  return { isFresh, faults };
}

function readApiConfig(environment: Record<string, string>): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/**
 * The given port (0: any free one). The default is the same at every start if it is free, so that open tabs keep
 * working.
 */
async function choosePort(given: number | undefined, preferred: number): Promise<number> {
  if (given !== undefined) return given || (await findFreePort());
  return preferred <= PORT_MAX && (await takePort(preferred)) ? preferred : await findFreePort();
}
