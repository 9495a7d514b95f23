import type { MicroAth } from '@athos/domain/money';
import { useBalances } from './balance.ts';
import { useServerNowMs } from './server-now.ts';
import { useTiers } from './tiers.ts';
import type { Buyer } from '../state/offer-block.ts';

/** The facts that decide whether the user may buy an offer. Offers are sold for ATH only. */
export const useBuyer = (): Buyer => ({
  nowMs: useServerNowMs(),
  balance: useBalances()?.ATH as MicroAth | undefined,
  tiers: useTiers() ?? [],
});
