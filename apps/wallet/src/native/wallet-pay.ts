/** Apple Pay or Google Pay, whichever the phone has. On the web, and where neither is set up, there is none. */
import { isInShell } from './shell.ts';

export interface WalletPayFacts {
  readonly publishableKey: string;
  /** `null`: no Apple Pay. */
  readonly appleMerchantId: string | null;
  /** What Apple Pay names the amount (spec 7). */
  readonly label: string;
}

export interface WalletPayOrder {
  readonly clientSecret: string;
  readonly totalUsdCents: bigint;
}

export type WalletPayOutcome = 'completed' | 'canceled' | 'failed';

export interface WalletPay {
  readonly kind: 'apple' | 'google';
  /** Shows the phone's own sheet. Rejects as the plugin does. */
  readonly pay: (order: WalletPayOrder) => Promise<WalletPayOutcome>;
}

/** `undefined` where there is none. Never rejects. */
export async function findWalletPay(facts: WalletPayFacts): Promise<WalletPay | undefined> {
  if (!isInShell()) return undefined;
  const { createWalletPay } = await import('./stripe-wallet-pay.ts');
  return createWalletPay(facts);
}
