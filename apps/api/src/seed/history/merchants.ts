/** Merchants with an account of their own in the demo's past, and their settlements. */
import { MICRO_PER_TOKEN } from '@athos/domain/money';
import { invariant } from '../../platform/errors.ts';
import { demoOfferDrafts } from '../demo-catalogue.ts';
import type { AskConsole } from './console.ts';
import type { Event } from './staff-acts.ts';
import { pastKey, type World } from './world.ts';

interface PastMerchant {
  readonly name: string;
  readonly note: string;
  /** The slugs of the merchant's offers in the demo's catalogue. */
  readonly slugs: readonly string[];
}

const KITCHEN = 'Pier Nine Kitchen';
const SODA_WORKS = 'Quay Soda Works';

const MERCHANTS: readonly PastMerchant[] = [
  {
    name: KITCHEN,
    note: 'Cooks on Sundays. Paid by bank transfer once a month, invoice to Irma.',
    slugs: ['sunday-broth', 'picnic-hamper', 'two-plates'],
  },
  {
    name: SODA_WORKS,
    note: 'Fills the sparkling bottles. Paid by bank transfer.',
    slugs: ['sparkling-bitter', 'sparkling-rose', 'sparkling-tonic'],
  },
];

/** Opens the accounts of the merchants, and assigns them their offers of the demo. */
export async function openMerchants(ask: AskConsole): Promise<void> {
  for (const { name, note, slugs } of MERCHANTS) {
    const { id: merchantId } = await ask('brand_manager', 'createMerchant', {
      body: { name, note },
    });
    for (const slug of slugs) await handOver(ask, slug, parseInt(`${merchantId}`, 10));
  }
  // A merchant who was registered but never sold anything.
  const body = { name: 'Tide Records', note: 'Wanted to sell on the quay. Moved away.' };
  const { id, version } = await ask('brand_manager', 'createMerchant', { body });
  const archived = { params: { id }, version, body: { is_archived: true } };
  await ask('brand_manager', 'archiveMerchant', archived);
}

/** An editor drafts the change, and the brand's manager publishes it. */
async function handOver(ask: AskConsole, slug: string, merchantId: number): Promise<void> {
  const offer = demoOfferDrafts.find(({ draft: [name] }) => name === slug);
  invariant(offer !== undefined, `${slug} is an offer of the demo`);
  const params = { id: offer.id };
  const { fields, version } = await ask('catalogue_editor', 'consoleOffer', { params });
  const body = { ...fields, merchant_id: merchantId };
  const saved = await ask('catalogue_editor', 'saveOffer', { params, version, body });
  await ask('brand_manager', 'publishOffer', {
    params,
    version: saved.version,
    body: { reason: 'Sold on an account of its own from now on' },
  });
}

/** Settlements that the provider's owner approved, and one that waits for a vote. */
export function merchantEvents(world: World, ask: AskConsole): readonly Event[] {
  /** Requests to pay out half of the debt to the merchant, in whole tokens. */
  const settle = async (name: string, key: string, reason: string): Promise<void> => {
    const { id } = await world.deps.db
      .selectFrom('merchants')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    const params = { id };
    const { balance } = await ask('finance', 'merchant', { params });
    const tokens = BigInt(balance) / MICRO_PER_TOKEN / 2n;
    const amount = (tokens * MICRO_PER_TOKEN).toString();
    const body = { amount, reason };
    await ask('finance', 'settleMerchant', { params, body, key: pastKey(world, key) });
  };
  const approve = (key: string) =>
    ask('provider_owner', 'approveRequest', { params: { id: pastKey(world, key) } });
  return [
    { at: 0.5, run: () => settle(KITCHEN, 'settle 1', 'First invoice of the kitchen') },
    { at: 0.505, run: () => approve('settle 1') },
    { at: 0.52, run: () => settle(SODA_WORKS, 'settle 2', 'First invoice of the soda works') },
    { at: 0.53, run: () => approve('settle 2') },
    { at: 0.82, run: () => settle(KITCHEN, 'settle 3', 'Second invoice of the kitchen') },
    { at: 0.825, run: () => approve('settle 3') },
    { at: 0.988, run: () => settle(SODA_WORKS, 'settle 4', 'Second invoice of the soda works') },
  ];
}
