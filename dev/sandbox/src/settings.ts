import { resolve } from 'node:path';

/** The sandbox's settings. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Receives every event in addition to registered endpoints; null for none. */
  readonly webhookUrl: string | null;
  readonly webhookSecret: string;
  readonly secretKey: string;
  readonly publishableKey: string;
}

/** Lists every invalid setting, one sentence each. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/** Whether a host name always refers to this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** Whether this is an http URL on this machine, the only kind allowed for webhooks. */
export function isLoopbackUrl(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/**
 * Reads the settings from environment variables. Refuses live keys and any host except loopback, because this program
 * only pretends to move money. Throws SettingsError that names every fault.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const faults: string[] = [];
  const read = (name: string, fallback: string): string => environment[name] || fallback;
  const settings: Settings = {
    host: read('SANDBOX_HOST', '127.0.0.1'),
    port: Number(read('SANDBOX_PORT', '8090')),
    dataDir: resolve(read('SANDBOX_DATA_DIR', './data/sandbox')),
    webhookUrl: environment['SANDBOX_WEBHOOK_URL'] || null,
    webhookSecret: read('SANDBOX_WEBHOOK_SECRET', 'whsec_athos_sandbox_webhook_secret'),
    secretKey: read('SANDBOX_SECRET_KEY', 'sk_test_athos_sandbox_secret'),
    publishableKey: read('SANDBOX_PUBLISHABLE_KEY', 'pk_test_athos_sandbox_publishable'),
  };
  if (!isLoopbackHost(settings.host)) {
    faults.push(
      `SANDBOX_HOST is ${settings.host}: the card sandbox listens on loopback only, for example 127.0.0.1.`,
    );
  }
  if (!Number.isInteger(settings.port) || settings.port < 0 || settings.port > 65_535) {
    faults.push('SANDBOX_PORT is not a port number from 0 (any free one) to 65535.');
  }
  if (settings.webhookUrl !== null && !isLoopbackUrl(settings.webhookUrl)) {
    faults.push('SANDBOX_WEBHOOK_URL is not an http address on this machine.');
  }
  if (!settings.webhookSecret.startsWith('whsec_')) {
    faults.push('SANDBOX_WEBHOOK_SECRET does not begin with whsec_.');
  }
  if (!settings.secretKey.startsWith('sk_test_')) {
    faults.push('SANDBOX_SECRET_KEY does not begin with sk_test_: live keys are refused.');
  }
  if (!settings.publishableKey.startsWith('pk_test_')) {
    faults.push('SANDBOX_PUBLISHABLE_KEY does not begin with pk_test_: live keys are refused.');
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}
