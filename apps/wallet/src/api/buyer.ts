import type { MicroAth } from '@athos/domain/money';
import { useBalances } from './balance.ts';
import { useServerNowMs } from './server-now.ts';
import { useTiers } from './tiers.ts';
import type { Buyer } from '../state/offer-block.ts';

/** Who looks at the offer, as far as it matters for buying it. Only ATH buys (decision). */
export const useBuyer = (): Buyer => ({
  nowMs: useServerNowMs(),
  balance: useBalances()?.ATH as MicroAth | undefined,
  tiers: useTiers() ?? [],
});
