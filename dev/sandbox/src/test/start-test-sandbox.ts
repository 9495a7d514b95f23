import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { startSandbox } from '../server.ts';
import type { RunningSandbox } from '../server.ts';
import type { Settings } from '../settings.ts';

export interface TestSandbox extends RunningSandbox {
  readonly settings: Settings;
  readonly stripe: Stripe;
  control(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Closes the sandbox and deletes its folder. */
  end(): Promise<void>;
  /** Closes the sandbox and starts it again on the same folder and port. */
  restart(): Promise<TestSandbox>;
}

/** Creates the official SDK for a sandbox, configured as in the API. */
export function createSdk(url: string, secretKey: string, retries = 0): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    timeout: 4000,
    maxNetworkRetries: retries,
  });
}

/** Starts a sandbox in this process, on a free port with an empty folder. */
export async function startTestSandbox(changes: Partial<Settings> = {}): Promise<TestSandbox> {
  const settings: Settings = {
    host: '127.0.0.1',
    port: 0,
    dataDir: mkdtempSync(join(tmpdir(), 'athos-sandbox-')),
    webhookUrl: null,
    webhookSecret: 'whsec_test_of_the_sandbox',
    secretKey: 'sk_test_of_the_sandbox',
    publishableKey: 'pk_test_of_the_sandbox',
    ...changes,
  };
  const running = await startSandbox(settings);
  return {
    ...running,
    settings,
    stripe: createSdk(running.url, settings.secretKey),
    control: async (method, path, body) => {
      const response = await fetch(`${running.url}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.status === 400) throw new Error(String(answer['error']));
      return answer;
    },
    end: async () => {
      await running.close();
      rmSync(settings.dataDir, { recursive: true, force: true });
    },
    restart: async () => {
      await running.close();
      return startTestSandbox({ ...settings, port: Number(new URL(running.url).port) });
    },
  };
}
