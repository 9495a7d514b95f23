/** An app with a card sandbox of its own, which delivers its webhooks to it, and a published rate of 0.1683. */
import { sql } from 'kysely';
import type { Log } from '../src/platform/log/log.ts';
import { publishTestRate } from './card-purchase.ts';
import { startCardSandbox, type CardSandbox } from './card-sandbox.ts';
import { tapCardProvider, type TappedCardProvider } from './tapped-card-provider.ts';
import { createTestApp, type TestApp } from './test-app.ts';

interface CardsApp {
  readonly app: TestApp;
  readonly sandbox: CardSandbox;
  /** The app's way to the sandbox. */
  readonly provider: TappedCardProvider;
  readonly close: () => Promise<void>;
}

interface CardsAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: Log;
  /**
   * Begins at one o'clock (UTC). The provider pays out at midnight, which otherwise falls into a test that watches the books,
   * depending on the hour at which the tests run.
   */
  readonly startsAtOne?: boolean;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Lets tests poll faster than people do. */
export async function freeLooks({ deps }: TestApp): Promise<void> {
  await sql`insert into card_look_slots (slot) select generate_series(16, 1000)`.execute(deps.db);
}

export async function startCardsApp({
  env = {},
  log,
  startsAtOne = false,
}: CardsAppOptions = {}): Promise<CardsApp> {
  const sandbox = await startCardSandbox();
  const provider = tapCardProvider(sandbox.url);
  const app = await createTestApp({
    env: { ...sandbox.env, ...env },
    standIns: { cardProvider: provider },
    ...(log !== undefined && { log }),
  });
  sandbox.deliverTo(app.app);
  if (startsAtOne) {
    const pauseMs = DAY_MS - ((Date.now() - HOUR_MS) % DAY_MS);
    await sandbox.control('/clock', { advance_ms: pauseMs });
    app.clock.advance(pauseMs);
  }
  await publishTestRate(app, '0.1683');
  await freeLooks(app);
  return {
    app,
    sandbox,
    provider,
    close: async () => {
      await sandbox.close();
      await app.close();
    },
  };
}
