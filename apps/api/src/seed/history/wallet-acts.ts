/** Carries out the plan through the services that the wallet and the scanner call. */
import { createHash } from 'node:crypto';
import { microAth, parseRate, tokenUnits, usdCents, type Rate } from '@athos/domain/money';
import { priceOfTokens, tokensWorth } from '@athos/domain/purchase-price';
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { beginOrder, cancelAndSettle, fetchAndSettle } from '../../modules/cards/index.ts';
import { openAccount, readDevice, signUp } from '../../modules/identity/index.ts';
import { buyTogether, sendTip } from '../../modules/shop/index.ts';
import { redeemItems, scanCode } from '../../modules/tickets/index.ts';
import { sendAsset } from '../../modules/transfers/index.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { Act, ActOf, Scene } from './acts.ts';
import { doAll, pastKey, runJobs, userOf, type World } from './world.ts';

const MICRO_PER_HUNDREDTH = 10_000n;
const microOf = (hundredths: number) => microAth(BigInt(hundredths) * MICRO_PER_HUNDREDTH);

/** A password that meets the rules. The whole crowd shares its hash. */
export const CROWD_PASSWORD = 'Crowd-likes-9-drinks';

export interface SigningUp {
  readonly index: number;
  readonly name: string;
  readonly email: string;
}

/** The network address and the device of a person's requests. */
function originOf({ words, deps }: World, index: number) {
  const networkAddress = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const deviceId = pastKey({ words }, `device ${index}`);
  const device = readDevice({ userAgent: 'Past/1.0', deviceId }, deps.config.hashingKeys);
  return { networkAddress, device };
}

/** Signs people up, and opens the accounts of those who follow the link in their mail. */
export async function signUpAll(
  world: World,
  people: readonly (SigningUp & { readonly isVerified: boolean })[],
): Promise<void> {
  const deps = { ...world.deps, deletionGuards: [] };
  await doAll(
    people.map(
      ({ index, email }) =>
        () =>
          signUp(deps, {
            email,
            password: CROWD_PASSWORD,
            termsVersion: undefined,
            priority: 0,
            ...originOf(world, index),
          }),
    ),
  );
  await runJobs(world);
  await doAll(
    people.map((person) => async () => {
      const { index, email, isVerified } = person;
      if (!isVerified) return;
      const origin = originOf(world, index);
      const code = world.mailer.codes.get(email);
      invariant(code !== undefined, 'every sign-up is mailed');
      const { userUuid } = await openAccount(deps, code, origin.device);
      const { id } = await deps.db
        .selectFrom('users')
        .select('id')
        .where('uuid', '=', userUuid)
        .executeTakeFirstOrThrow();
      world.users.set(index, { userId: id, userUuid, ...origin });
    }),
  );
}

async function order(world: World, act: ActOf<'order'>, rate: Rate): Promise<void> {
  const { deps, bank, orders, lastOrders } = world;
  const { userId } = userOf(world, act.person);
  const key = pastKey(world, `order ${act.no}`);
  const amountMicroAth = tokensWorth(usdCents(BigInt(act.usdCents)), rate);
  const claimed = priceOfTokens(amountMicroAth, rate);
  const { orderId } = await beginOrder(deps, {
    userId,
    key,
    bodyHash: createHash('sha256').update(key).digest(),
    quote: { usdPerAth: rate, amountMicroAth, claimed },
  });
  const intentId = bank.intentIdOf(orderId);
  orders.set(act.no, { orderId, intentId });
  lastOrders.set(act.person, act.no);
  if (act.end === 'paid') bank.pay(intentId, act.card);
  else if (act.end !== 'left') bank.decline(intentId, act.end);
  await fetchAndSettle(deps, intentId);
  if (act.end !== 'paid') await cancelAndSettle(deps, intentId);
}

async function claim(world: World, act: ActOf<'claim'>): Promise<void> {
  const { userId, device, networkAddress } = userOf(world, act.person);
  const key = pastKey(world, `claim ${act.no}`);
  await world.claimReward({ userId, key, codeText: act.code, networkAddress, device });
}

/** All carts of a moment share a transaction, as they do at the shop's checkout. */
async function buyAll(world: World, acts: readonly ActOf<'buy'>[]): Promise<void> {
  if (acts.length === 0) return;
  const carts = acts.map(({ person, no, lines }) => ({
    userId: userOf(world, person).userId,
    key: pastKey(world, `buy ${no}`),
    lines: lines.map((line) => ({ ...line, seenPrice: undefined })),
  }));
  const outcomes = await buyTogether(world.deps, carts);
  for (const [index, { no }] of acts.entries()) {
    const result = outcomes[index];
    if (result?.outcome === 'refused') throw result.error;
    invariant(result?.outcome === 'bought', 'every cart is new');
    const { purchaseId, items } = result.bought;
    const itemIds = items.map(({ id }) => parseInt(id.toString(), 10));
    world.purchases.set(no, { purchaseId, itemIds });
  }
}

const EXPIRED_MS = 10 * 60_000;

/** Shows a code and has it redeemed. A code that is too old is refused, and so is a second redemption of the same items. */
async function redeem(world: World, act: ActOf<'redeem'>): Promise<void> {
  const { deps, clock, purchases, crews, venueIds, scanning } = world;
  const itemIds = act.items.flatMap(({ purchase, index }) => {
    const id = purchases.get(purchase)?.itemIds[index];
    return id === undefined ? [] : [id];
  });
  const crew = crews[act.venue] ?? [];
  const userId = crew[act.no % crew.length];
  const venueId = venueIds[act.venue];
  invariant(userId !== undefined && venueId !== undefined, 'the venue has staff');
  const shownMs = clock.nowMs() - (act.fault === 'expired' ? EXPIRED_MS : 0);
  const payloadAt = (t: number): string => {
    const d = { a: userOf(world, act.person).userUuid, t, v: 1, i: itemIds };
    const content: QrContent = { t: 'purchase', d };
    return signedQrText(content, deps.qrKeys.signText(canonicalQrText(content)));
  };
  const payload = payloadAt(shownMs);
  const attempt = { userId, payload, venueId };
  if (act.fault === 'expired') {
    await scanCode(scanning, attempt).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    return;
  }
  await redeemItems(scanning, {
    ...attempt,
    itemIds: undefined,
    key: pastKey(world, `redeem ${act.no}`),
    deviceId: null,
  });
  if (act.fault === 'redeemed')
    await scanCode(scanning, { ...attempt, payload: payloadAt(shownMs + 1) });
}

async function send(world: World, act: ActOf<'send'>): Promise<void> {
  await sendAsset(world.sending, {
    senderId: userOf(world, act.person).userId,
    recipientUuid: userOf(world, act.to).userUuid,
    amountUnits: tokenUnits(microOf(act.hundredths)),
    asset: 'ATH',
    key: pastKey(world, `send ${act.no}`),
    undo: 0,
  });
}

async function tip(world: World, act: ActOf<'tip'>, from: string): Promise<void> {
  await sendTip(world.deps, {
    userId: userOf(world, act.person).userId,
    key: pastKey(world, `tip ${act.no}`),
    offerId: act.offerId,
    amount: microOf(act.hundredths),
    from,
    note: '',
  });
}

const ofKind = <Kind extends Act['kind']>(acts: readonly Act[], kind: Kind): ActOf<Kind>[] =>
  acts.filter((act): act is ActOf<Kind> => act.kind === kind);

/** Plays all acts of customers at a moment, concurrently. */
export async function playScene(
  world: World,
  { acts, rateText }: Scene,
  nameOf: (person: number) => SigningUp,
): Promise<void> {
  const rate = parseRate(rateText);
  invariant(rate !== undefined, 'a planned rate is a rate');
  const comers = ofKind(acts, 'sign_up').map(({ person, isVerified }) => ({
    ...nameOf(person),
    isVerified,
  }));
  if (comers.length > 0) await signUpAll(world, comers);
  await doAll([
    () => buyAll(world, ofKind(acts, 'buy')),
    ...ofKind(acts, 'order').map((act) => () => order(world, act, rate)),
    ...ofKind(acts, 'claim').map((act) => () => claim(world, act)),
    ...ofKind(acts, 'redeem').map((act) => () => redeem(world, act)),
    ...ofKind(acts, 'tip').map((act) => () => tip(world, act, nameOf(act.person).name)),
    // The ledger posts all sends of a moment together.
    () => Promise.all(ofKind(acts, 'send').map((act) => send(world, act))),
  ]);
}
