/**
 * The load: sends, held sends and undos, carts, claims, redemptions, card payments and sign-ups in a fixed mix, at a fixed rate, through the
 * edge, and beside them a few pages of history.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { microAth, parseRate, usdCents, usdNumber } from '@athos/domain/money';
import { paymentDescription, priceOfTokens } from '@athos/domain/purchase-price';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import { createSigningKeys } from '../../apps/api/src/platform/keys/signing-keys.ts';
import type { BenchUser } from '../population.ts';
import { SIGNING_SEED } from '../programs.ts';
import type { Caller, Settled } from './caller.ts';
import { OUTSIDE_ADDRESS } from './outside.ts';
import type { Scene } from './prepare.ts';

export type IntentKind =
  'send' | 'held_send' | 'undo' | 'cart' | 'claim' | 'redemption' | 'card' | 'sign_up';

/** Assigned in turn, so that runs do not differ by chance. */
function kindOf(turn: number): IntentKind {
  const at = turn % 40;
  if (at === 39) return 'sign_up';
  if (at % 20 === 18) return 'card';
  if (at % 5 === 1) return 'cart';
  if (at % 10 === 3) return 'claim';
  if (at % 10 === 7) return 'held_send';
  if (at % 20 === 9) return 'undo';
  return at % 10 === 5 ? 'redemption' : 'send';
}

const SEND_MICRO = '1000';
/** Long enough for an undo while all is well, and shorter than most outages. */
const UNDO_SECONDS = 5;
const RATE = '0.1683';
const BOUGHT = microAth(100_000_000n);
const CARD_LOOK_EVERY_MS = 1_000;
const CARD_LIMIT_MS = 90_000;
/** Two requests each, so one a second, whatever the rate of the intents. */
const READ_EVERY_MS = 2_000;
const HISTORY_PATH = '/api/all_history?limit=1';

/** An intent that the server has acknowledged. */
export interface Acknowledged {
  readonly kind: IntentKind;
  readonly atMs: number;
  readonly keys: readonly string[];
  /** The number of a send's transfer, the id of a held send, what an undo found, the order of a card payment, or the address of a sign-up. */
  readonly told?: string;
}

interface HeldItem {
  readonly holderUuid: string;
  readonly itemId: number;
}

interface HeldSend {
  readonly sender: BenchUser;
  readonly id: string;
}

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** Intents and pages of history that were refused, or never answered. */
  readonly faults: string[] = [];
  /** Intents begun each second. Takes effect with the next start. */
  perSecond: number;
  readonly #caller: Caller;
  readonly #scene: Scene;
  readonly #keys = createSigningKeys([Buffer.from(SIGNING_SEED, 'base64url')]);
  readonly #items: HeldItem[] = [];
  readonly #heldSends: HeldSend[] = [];
  readonly #open = new Set<Promise<void>>();
  #ticker: NodeJS.Timeout | undefined;
  #readTicker: NodeJS.Timeout | undefined;
  #turn = 0;
  readonly #turnsOf = new Map<string, number>();

  constructor(caller: Caller, scene: Scene, perSecond: number) {
    this.#caller = caller;
    this.#scene = scene;
    this.perSecond = perSecond;
  }

  start(): void {
    const startMs = performance.now();
    const { perSecond } = this;
    let made = 0;
    // Catches up after a late tick, so that the rate stays the same on a busy machine.
    this.#ticker = setInterval(() => {
      const due = ((performance.now() - startMs) * perSecond) / 1000;
      for (; made < due; made++) this.#beginIntent();
    }, 1000 / perSecond);
    this.#readTicker = setInterval(() => this.#begin('history', this.#readOn()), READ_EVERY_MS);
  }

  /** Resolves when every started intent is settled. */
  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    clearInterval(this.#readTicker);
    await Promise.all(this.#open);
  }

  #beginIntent(): void {
    const kind = kindOf(this.#turn++);
    this.#begin(kind, this.#carryOut(kind));
  }

  #begin(what: IntentKind | 'history', begun: Promise<void>): void {
    const work = begun
      .catch((error: unknown) => void this.faults.push(`${what}: ${String(error)}`))
      .finally(() => this.#open.delete(work));
    this.#open.add(work);
  }

  /** Asks for the newest page of a user's history and for the one behind it, which the API may read from a standby (decision 0056). */
  async #readOn(): Promise<void> {
    const { token } = one(this.#scene.users, this.#next('history'));
    const newest = await this.#caller.settle({ method: 'GET', path: HISTORY_PATH, token });
    const cursor = newest.body['next_cursor'];
    if (typeof cursor !== 'string') return;
    const path = `${HISTORY_PATH}&cursor=${encodeURIComponent(cursor)}`;
    await this.#caller.settle({ method: 'GET', path, token });
  }

  async #carryOut(kind: IntentKind): Promise<void> {
    const settled = await this.#intents[kind]();
    if (settled === undefined) return;
    const { keys, told } = settled;
    this.acknowledged.push({
      kind,
      atMs: performance.now(),
      keys,
      ...(told !== undefined && { told }),
    });
  }

  /** `undefined` if no user can make such an intent at the moment. */
  readonly #intents: Record<IntentKind, () => Promise<(Settled & { told?: string }) | undefined>> =
    {
      send: async () => {
        const { settled } = await this.#send();
        return { ...settled, told: String(settled.body['id']) };
      },
      held_send: async () => {
        const { settled, from } = await this.#send({ undo_seconds: UNDO_SECONDS });
        const { id } = settled.body['hold'] as { id: string };
        this.#heldSends.push({ sender: from, id });
        return { ...settled, told: id };
      },
      undo: () => this.#undoLast(),
      cart: async () => {
        const { users, offerIds } = this.#scene;
        const buyer = one(users, this.#next('cart'));
        const body = { offer_ids: [offerIds[0]], offer_counts: [1] };
        const settled = await this.#post('/api/purchase', buyer, body);
        const items = settled.body['items'] as readonly { id: number }[];
        for (const { id } of items) this.#items.push({ holderUuid: buyer.uuid, itemId: id });
        return settled;
      },
      claim: async () => {
        const { user, code } = this.#scene.takeCode();
        return this.#post(`/api/reward/${code}/redeem`, user, {});
      },
      redemption: async () => {
        const item = this.#items.shift();
        if (item === undefined) return undefined;
        const member = one(this.#scene.staff, this.#next('redemption'));
        let payload = '';
        // A code can be scanned for half a minute, and the guest's phone would show a new one by then.
        await this.#post('/api/scanner/scan', member, () => ({
          payload: (payload = this.#codeOf(item)),
        }));
        return this.#post('/api/scanner/redeem', member, { payload });
      },
      card: () => this.#payByCard(one(this.#scene.users, this.#next('card'))),
      sign_up: async () => {
        const email = `${randomUUID()}@cluster.invalid`;
        const body = { email, password: 'Correct-horse-7', tenant_id: 1, mode: 'production' };
        const path = '/api/account/register';
        return { ...(await this.#caller.settle({ method: 'POST', path, body })), told: email };
      },
    };

  async #send(
    more: { readonly undo_seconds?: number } = {},
  ): Promise<{ readonly settled: Settled; readonly from: BenchUser }> {
    const { users } = this.#scene;
    const at = this.#next('send');
    const [from, to] = [one(users, at), one(users, at + 1 + (at % (users.length - 1)))];
    const body = { amount: SEND_MICRO, to_uuid: to.uuid, ...more };
    return { settled: await this.#post('/api/account/transfer', from, body), from };
  }

  /** Takes back the last held send, unless it has arrived. Both answers say for good what became of it. */
  async #undoLast(): Promise<(Settled & { told: string }) | undefined> {
    const held = this.#heldSends.pop();
    if (held === undefined) return undefined;
    this.#heldSends.length = 0;
    const { sender, id } = held;
    const settled = await this.#caller.settle({
      method: 'POST',
      path: `/api/account/holds/${id}/undo`,
      token: sender.token,
      body: {},
      refusal: 'send_settled',
    });
    return { ...settled, keys: [id], told: settled.isRefused ? 'posted' : 'taken_back' };
  }

  async #payByCard(user: BenchUser): Promise<Settled & { told: string }> {
    const call = { method: 'POST', path: '/api/payment_intent' } as const;
    const begun = await this.#caller.settle({ ...call, token: user.token, body: CARD_ORDER });
    const { id, client_secret: clientSecret } = begun.body as { id: string; client_secret: string };
    await confirm(clientSecret);
    const path = `/api/payment_intent/${id}`;
    for (const deadline = performance.now() + CARD_LIMIT_MS; performance.now() < deadline;) {
      const look = { method: 'GET', path } as const;
      const { body } = await this.#caller.settle({ ...look, token: user.token });
      if (body['stripe_status'] === 1) return { ...begun, told: id };
      await pause(CARD_LOOK_EVERY_MS);
    }
    throw new Error(`order ${id} was paid and is not credited`);
  }

  #post(path: string, { token }: BenchUser, body: object | (() => object)): Promise<Settled> {
    return this.#caller.settle({ method: 'POST', path, token, body });
  }

  #codeOf({ holderUuid, itemId }: HeldItem): string {
    const content = {
      t: 'purchase',
      d: { a: holderUuid, t: Date.now(), v: 1, i: [itemId] },
    } as const;
    return signedQrText(content, this.#keys.signText(canonicalQrText(content)));
  }

  #next(kind: string): number {
    const turn = this.#turnsOf.get(kind) ?? 0;
    this.#turnsOf.set(kind, turn + 1);
    return turn;
  }
}

function one<T>(from: readonly T[], at: number): T {
  const found = from[at % from.length];
  if (found === undefined) throw new Error('nothing to take from');
  return found;
}

const CARD_ORDER = ((): object => {
  const rate = parseRate(RATE);
  if (rate === undefined) throw new Error('no rate');
  const price = priceOfTokens(BOUGHT, rate);
  return {
    exchangeRate: JSON.parse(RATE) as number,
    subtotal: usdNumber(price.priceUsdCents),
    athosFee: usdNumber(price.productFeeUsdCents),
    processingFee: usdNumber(price.processingFeeUsdCents),
    total: usdNumber(price.totalUsdCents),
    description: paymentDescription(usdCents(price.priceUsdCents), 'ATH'),
    tokenAmount: BOUGHT.toString(),
  };
})();

/** Pays at the provider, as the card form does. */
function confirm(clientSecret: string): Promise<void> {
  const body = JSON.stringify({ client_secret: clientSecret });
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: OUTSIDE_ADDRESS,
        port: 8090,
        method: 'POST',
        path: '/_sandbox/confirm',
        // The sandbox refuses every host name but its own.
        headers: { host: '127.0.0.1:8090', 'content-type': 'application/json' },
      },
      (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`the sandbox refused the card: ${answer.slice(0, 300)}`));
        }, reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
