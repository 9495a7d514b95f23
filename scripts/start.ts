/** `npm start`: starts the whole system, keeps it running, and stops it in order. */
import { existsSync, rmSync } from 'node:fs';
import { PostgresError } from '@athos/postgres/postgres-error';
import { demoStaff } from '../apps/api/src/seed/demo-staff.ts';
import { demoRewardCodes, demoSignIns } from '../apps/api/src/seed/demo-users.ts';
import { describeSystem, writeAddresses, type Addresses } from './start/announce.ts';
import { clearData, openDataDir, type DataDir } from './start/data-dir.ts';
import type { Keys } from './start/keys.ts';
import { readSettings, sandboxUrlOf, type Settings } from './start/settings.ts';
import { StartError } from './start/start-error.ts';
import { createSystem } from './start/system.ts';
import { watchNpm } from './start/watch-npm.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function main(): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of SIGNALS) process.on(signal, () => stop());
  watchNpm(() => stop());
  const settings = await readSettings(process.env, process.argv.slice(2));
  const data = await openDataDir(settings.dataDir);
  try {
    await run(settings, data, stopped);
  } finally {
    data.release();
  }
}

/** Resolves after an orderly stop; rejects if the system cannot start or does not stay up. */
async function run(settings: Settings, data: DataDir, stopAsked: Promise<void>): Promise<void> {
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
  const stopped = Promise.race([stopAsked, givenUp]);
  // Tools that wait for this file must not see the addresses of an earlier start.
  rmSync(data.addresses, { force: true });
  const isHalfSeeded = settings.embedded.postgres && existsSync(data.firstSeedNote);
  if (settings.isFresh || isHalfSeeded) await clearData(data);
  const system = createSystem(settings, data, {
    onRestart: (sentence) => console.error(sentence),
    onGiveUp: giveUp,
  });
  const starting = system.start();
  try {
    // The stop may be requested during the start.
    const keys = await Promise.race([starting, stopped]);
    if (keys === undefined) return;
    const addresses = addressesOf(settings, keys);
    writeAddresses(data.addresses, addresses);
    console.log(describeSystem(addresses, settings.dataDir));
    await stopped;
  } finally {
    starting.catch(() => {});
    await system.stop();
  }
}

function addressesOf(settings: Settings, keys: Keys): Addresses {
  const { embedded, publicUrl, consoleOrigin, given } = settings;
  const publishableKey = given['STRIPE_PUBLISHABLE_KEY'] ?? keys.STRIPE_PUBLISHABLE_KEY;
  return {
    wallet: publicUrl,
    scanner: `${publicUrl}/scanner`,
    ...(consoleOrigin !== undefined && { console: `${consoleOrigin}/console` }),
    ...(embedded.mailbox && { mailbox: `http://127.0.0.1:${settings.mailboxPort}/mailbox` }),
    ...(embedded.sandbox && { sandbox: sandboxUrlOf(settings) }),
    publishableKey,
    // A secret key from the settings is never written to a file.
    ...(embedded.sandbox && { secretKey: keys.STRIPE_SECRET_KEY }),
    demoSignIns: settings.isDemo ? demoSignIns : [],
    demoStaff: settings.isDemo ? demoStaff : [],
    rewardCodes: settings.isDemo ? demoRewardCodes : [],
    ...(settings.isRehearsal && { isRehearsal: true }),
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const isExpected = error instanceof StartError || error instanceof PostgresError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  },
);
