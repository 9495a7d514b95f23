/** The planned balance and items of each person of the demo's past. Amounts are hundredths of an ATH. */
import type { Person } from './crowd.ts';
import type { CartLine, ItemRef } from './acts.ts';
import type { Random } from './random.ts';

interface OpenItem extends ItemRef {
  /** The only venue that redeems the item. */
  readonly venue: number | undefined;
}

interface LastCart {
  readonly purchase: number;
  readonly cart: readonly CartLine[];
  readonly itemCount: number;
  readonly hundredths: number;
}

export interface Wallet {
  readonly person: Person;
  /** Some people never buy tokens, and only use what they are given. */
  readonly buysTokens: boolean;
  hundredths: number;
  readonly items: OpenItem[];
  readonly claimed: Set<string>;
  /** The last purchase, unless it was returned. */
  lastCart: LastCart | undefined;
  /** Whether the person does nothing, such as while a refund is pending. */
  isResting: boolean;
  /** Each person gets at most one refund. A second one within 30 days may need a vote, so it might come later or never. */
  wasRefunded: boolean;
}

/** Makes the person do nothing until the refund is made, at the next moment. */
export function awaitRefund(wallet: Wallet): void {
  wallet.isResting = true;
  wallet.wasRefunded = true;
}

export class Wallets {
  readonly #random: Random;
  readonly #open: Wallet[] = [];
  /** In the order in which they signed up. */
  readonly #newcomers: Wallet[] = [];
  /** Cumulative sums of zeal over `#open`. */
  readonly #zeal: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  open(person: Person): void {
    const wallet: Wallet = {
      person,
      buysTokens: this.#random.chance(0.9),
      hundredths: 0,
      items: [],
      claimed: new Set(),
      lastCart: undefined,
      isResting: false,
      wasRefunded: false,
    };
    this.#open.push(wallet);
    if (wallet.buysTokens) this.#newcomers.push(wallet);
    this.#zeal.push((this.#zeal.at(-1) ?? 0) + person.zeal);
  }

  /** Returns, with a probability of 70 %, a person who has never bought tokens: people sign up because they want something. */
  takeNewcomer(isSuitable: (wallet: Wallet) => boolean): Wallet | undefined {
    const index = this.#newcomers.findIndex(isSuitable);
    if (index === -1 || this.#random.chance(0.3)) return undefined;
    return this.#newcomers.splice(index, 1)[0];
  }

  of(index: number): Wallet | undefined {
    return this.#open.find(({ person }) => person.index === index);
  }

  /** Picks a suitable person at random; a more active person is more likely. */
  choose(isSuitable: (wallet: Wallet) => boolean): Wallet | undefined {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const wallet = this.#draw();
      if (wallet !== undefined && isSuitable(wallet)) return wallet;
    }
    return undefined;
  }

  #draw(): Wallet | undefined {
    const wanted = this.#random.next() * (this.#zeal.at(-1) ?? 0);
    let low = 0;
    let high = this.#zeal.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#zeal[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return this.#open[low];
  }
}

/** If this many draws find nobody suitable, the act is made up for at the next moment. */
const ATTEMPTS_MAX = 24;
