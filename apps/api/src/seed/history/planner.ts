/**
 * Decides what everybody does, moment by moment. No person can act twice at one moment or spend what arrives in it, so that everybody can
 * afford their acts in any order within a moment.
 */
import { parseRate, usdCents, type Rate } from '@athos/domain/money';
import { tokensWorth } from '@athos/domain/purchase-price';
import type { Act, ActOf, CartLine, OrderEnd } from './acts.ts';
import type { Moment } from './calendar.ts';
import type { PastCode } from './campaigns.ts';
import type { CastMember } from './cast.ts';
import type { Person } from './crowd.ts';
import { pastOffers, pastTips, type PastOffer } from './offers.ts';
import type { Random } from './random.ts';
import { awaitRefund, Wallets, type Wallet } from './wallets.ts';

const DAY_MS = 24 * 60 * 60_000;
const TOP_UPS_USD = [10, 10, 15, 20, 20, 25, 30, 30, 40, 50, 75, 100];
const CARDS = ['visa', 'visa', 'visa', 'mastercard', 'mastercard', 'amex'] as const;
const DECLINES: readonly OrderEnd[] = [
  'insufficient_funds',
  'insufficient_funds',
  'generic_decline',
  'expired_card',
];
const LINE_ITEMS = [1, 1, 1, 1, 2, 2, 3];
/** Below the amounts that one person may have refunded without a vote: 100 USD and 100 ATH. */
const REFUNDED_USD_CENTS = 4_000;
const REFUNDED_HUNDREDTHS_MAX = 9_500;
/** The balance that a person keeps after an act. */
const SPARE_HUNDREDTHS = 1_500;
const ORDERED_BELOW_HUNDREDTHS = 30_000;
const CART_ITEMS_MAX = 20;

interface DueRefund {
  readonly wallet: Wallet;
  readonly act: Act;
  readonly hundredths: number;
}

export class Planner {
  readonly #random: Random;
  readonly #endMs: number;
  readonly #wallets: Wallets;
  readonly #numbers = new Map<Act['kind'], number>();
  readonly #backlog = new Map<string, number>();
  readonly #refunds: DueRefund[] = [];
  #busy = new Set<number>();
  #acts: Act[] = [];
  #atMs = 0;
  #rate = 0n as Rate;

  constructor(random: Random, endMs: number) {
    this.#random = random;
    this.#endMs = endMs;
    this.#wallets = new Wallets(random);
  }

  /** Begins the next moment, and makes the refunds that were requested at the previous one. */
  begin({ at }: Moment, rateText: string): void {
    this.#atMs = at;
    this.#rate = parseRate(rateText) ?? this.#rate;
    this.#busy = new Set();
    this.#acts = [];
    for (const { wallet, act, hundredths } of this.#refunds.splice(0)) {
      wallet.hundredths += hundredths;
      wallet.isResting = false;
      this.#add(wallet, act);
    }
  }

  /** The acts planned since `begin`. */
  get acts(): readonly Act[] {
    return this.#acts;
  }

  /** Plans `count` acts. Those for which no suitable person is found are made up for at later moments. */
  repeat(what: string, count: number, planOne: () => number): void {
    let due = count + (this.#backlog.get(what) ?? 0);
    while (due > 0) {
      const done = planOne();
      if (done === 0) break;
      due -= done;
    }
    this.#backlog.set(what, due);
  }

  signUp(person: Person, isVerified: boolean): void {
    this.#acts.push({ kind: 'sign_up', person: person.index, isVerified });
    if (!isVerified) return;
    this.#wallets.open(person);
    this.#busy.add(person.index);
  }

  /** Plays the last acts of a person with a story. Returns whether the person could act. */
  playStory(member: CastMember, what: 'order' | 'spend'): boolean {
    const wallet = this.#wallets.of(member.person.index);
    if (wallet === undefined || this.#busy.has(member.person.index)) return false;
    if (what === 'order') this.#order(wallet, 'paid', member.usdCents);
    else this.#spendAll(wallet);
    wallet.isResting = true;
    return true;
  }

  order(): number {
    const wallet =
      this.#wallets.takeNewcomer(
        ({ person, isResting }) => !isResting && !this.#busy.has(person.index),
      ) ??
      this.#choose(
        ({ buysTokens, hundredths }) =>
          buysTokens && (hundredths < ORDERED_BELOW_HUNDREDTHS || this.#random.chance(0.1)),
      );
    if (wallet === undefined) return 0;
    const luck = this.#random.next();
    const end = luck < 0.92 ? 'paid' : luck < 0.97 ? this.#random.pick(DECLINES) : 'left';
    this.#order(wallet, end, this.#random.pick(TOP_UPS_USD) * 100);
    return 1;
  }

  /** Somebody buys tokens and has them refunded at the next moment, before spending any of them. */
  orderToRefund(): number {
    const wallet = this.#choose(
      ({ buysTokens, hundredths, wasRefunded }) =>
        buysTokens && !wasRefunded && hundredths < ORDERED_BELOW_HUNDREDTHS,
    );
    if (wallet === undefined) return 0;
    const { no, hundredths } = this.#order(wallet, 'paid', REFUNDED_USD_CENTS);
    const act = { kind: 'refund_order', person: wallet.person.index, no } as const;
    awaitRefund(wallet);
    this.#refunds.push({ wallet, act, hundredths: -hundredths });
    return 1;
  }

  #order(wallet: Wallet, end: OrderEnd, cents: number) {
    const { index: person } = wallet.person;
    const no = this.#number('order');
    const card = this.#random.pick(CARDS);
    this.#add(wallet, { kind: 'order', person, no, usdCents: cents, end, card });
    const tokens = tokensWorth(usdCents(BigInt(cents)), this.#rate);
    const hundredths = end === 'paid' ? parseInt((tokens / 10_000n).toString(), 10) : 0;
    wallet.hundredths += hundredths;
    return { no, hundredths };
  }

  claim(codes: readonly PastCode[]): number {
    const running = codes.filter(({ fromMs, toMs }) => fromMs < this.#atMs && this.#atMs < toMs);
    if (running.length === 0) return 0;
    const code = this.#random.pick(running);
    const wallet = this.#choose(({ claimed }) => !claimed.has(code.text));
    if (wallet === undefined) return 0;
    wallet.claimed.add(code.text);
    wallet.hundredths += code.hundredths;
    const no = this.#number('claim');
    this.#add(wallet, { kind: 'claim', person: wallet.person.index, no, code: code.text });
    return 1;
  }

  /** Returns the number of items bought. */
  buy(): number {
    const offers = this.#offersOnSale();
    const wallet = this.#choose(({ hundredths }) => hundredths > SPARE_HUNDREDTHS * 2);
    if (wallet === undefined) return 0;
    return this.#buy(wallet, this.#fillCart(wallet, offers));
  }

  #offersOnSale(): PastOffer[] {
    const day = (this.#atMs - this.#endMs) / DAY_MS;
    return pastOffers.filter(({ saleDays: { from, to } }) => from + 1 < day && day < to + 0.01);
  }

  #fillCart(wallet: Wallet, offers: readonly PastOffer[]): Map<PastOffer, number> {
    const lines = new Map<PastOffer, number>();
    let left = wallet.hundredths;
    for (let line = this.#random.between(1, 3); line > 0; line -= 1) {
      const affordable = offers.filter(
        (offer) => offer.priceHundredths <= left && !lines.has(offer),
      );
      if (affordable.length === 0) break;
      const offer = this.#random.weighted(affordable, ({ popularity }) => popularity);
      const countMax = Math.floor(left / offer.priceHundredths);
      const count = Math.min(this.#random.pick(LINE_ITEMS), countMax);
      lines.set(offer, count);
      left -= count * offer.priceHundredths;
    }
    return lines;
  }

  #spendAll(wallet: Wallet): void {
    const lines = new Map<PastOffer, number>();
    let left = wallet.hundredths;
    for (const offer of this.#offersOnSale().toSorted(
      (one, other) => other.priceHundredths - one.priceHundredths,
    )) {
      const count = Math.min(CART_ITEMS_MAX, Math.floor(left / offer.priceHundredths));
      if (count > 0) lines.set(offer, count);
      left -= count * offer.priceHundredths;
    }
    this.#buy(wallet, lines);
  }

  #buy(wallet: Wallet, lines: ReadonlyMap<PastOffer, number>): number {
    const no = this.#number('buy');
    const { person, items } = wallet;
    const cart: CartLine[] = [];
    let [hundredths, itemCount] = [0, 0];
    for (const [{ id: offerId, priceHundredths, venue }, count] of lines) {
      cart.push({ offerId, itemCount: count });
      hundredths += priceHundredths * count;
      for (const end = itemCount + count; itemCount < end; itemCount += 1) {
        items.push({ purchase: no, index: itemCount, venue });
      }
    }
    wallet.hundredths -= hundredths;
    wallet.lastCart = { purchase: no, cart, itemCount, hundredths };
    if (itemCount > 0) this.#add(wallet, { kind: 'buy', person: person.index, no, lines: cart });
    return itemCount;
  }

  /** Somebody returns their whole last purchase. The tokens are back at the next moment. */
  refundPurchase(): number {
    const wallet = this.#choose(
      ({ lastCart, items, wasRefunded }) =>
        lastCart !== undefined &&
        !wasRefunded &&
        lastCart.hundredths <= REFUNDED_HUNDREDTHS_MAX &&
        items.filter(({ purchase }) => purchase === lastCart.purchase).length ===
          lastCart.itemCount,
    );
    if (wallet?.lastCart === undefined) return 0;
    const { person, items } = wallet;
    const { purchase, cart, hundredths } = wallet.lastCart;
    wallet.lastCart = undefined;
    awaitRefund(wallet);
    items.splice(0, items.length, ...items.filter((item) => item.purchase !== purchase));
    const lines = cart.map(({ itemCount }, line) => ({ line, itemCount }));
    const act = { kind: 'refund_purchase', person: person.index, no: purchase, lines } as const;
    this.#refunds.push({ wallet, act, hundredths });
    return 1;
  }

  redeem(): number {
    const wallet = this.#choose(({ items }) => items.length > 0);
    if (wallet === undefined) return 0;
    const { person, items } = wallet;
    const venue = this.#random.chance(0.8) ? person.homeVenue : 1 - person.homeVenue;
    const here = items.filter((item) => item.venue === undefined || item.venue === venue);
    const chosen = here.slice(0, this.#random.pick([1, 1, 1, 1, 2]));
    const luck = this.#random.next();
    if (chosen.length === 0) return 0;
    const fault = luck < 0.97 ? 'none' : luck < 0.99 ? 'expired' : 'redeemed';
    if (fault !== 'expired') for (const item of chosen) items.splice(items.indexOf(item), 1);
    const no = this.#number('redeem');
    this.#add(wallet, { kind: 'redeem', person: person.index, no, items: chosen, venue, fault });
    return fault === 'expired' ? 0 : 1;
  }

  send(): number {
    const isAble = ({ hundredths }: Wallet) => hundredths > SPARE_HUNDREDTHS;
    const from = this.#choose(isAble);
    const to = this.#choose(({ person }) => person.index !== from?.person.index);
    if (from === undefined || to === undefined) return 0;
    const hundredths = this.#random.between(1, 9) * 100;
    from.hundredths -= hundredths;
    to.hundredths += hundredths;
    const no = this.#number('send');
    const [person, receiver] = [from.person.index, to.person.index];
    this.#add(from, { kind: 'send', person, no, to: receiver, hundredths });
    this.#busy.add(receiver);
    return 1;
  }

  tip(): number {
    const wallet = this.#choose(({ hundredths }) => hundredths > SPARE_HUNDREDTHS);
    if (wallet === undefined) return 0;
    const hundredths = this.#random.pick([100, 200, 200, 300, 500]);
    const offerId = this.#random.pick(pastTips);
    wallet.hundredths -= hundredths;
    const no = this.#number('tip');
    this.#add(wallet, { kind: 'tip', person: wallet.person.index, no, offerId, hundredths });
    return 1;
  }

  #choose(isSuitable: (wallet: Wallet) => boolean): Wallet | undefined {
    return this.#wallets.choose(
      (wallet) => !this.#busy.has(wallet.person.index) && !wallet.isResting && isSuitable(wallet),
    );
  }

  #add(wallet: Wallet, act: Act): void {
    this.#busy.add(wallet.person.index);
    this.#acts.push(act);
  }

  #number(kind: ActOf<'order' | 'claim' | 'buy' | 'redeem' | 'send' | 'tip'>['kind']): number {
    const no = (this.#numbers.get(kind) ?? 0) + 1;
    this.#numbers.set(kind, no);
    return no;
  }
}
