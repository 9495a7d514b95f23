/**
 * Apple Pay or Google Pay, whichever the phone supports. It is unavailable on the web and on phones with neither set
 * up.
 */
import { isInShell } from './shell.ts';

export interface WalletPayFacts {
  readonly publishableKey: string;
  /** `null` disables Apple Pay. */
  readonly appleMerchantId: string | null;
  /** The label of the amount in Apple Pay (spec 7). */
  readonly label: string;
}

export interface WalletPayOrder {
  readonly clientSecret: string;
  readonly totalUsdCents: bigint;
}

export type WalletPayOutcome = 'completed' | 'canceled' | 'failed';

export interface WalletPay {
  readonly kind: 'apple' | 'google';
  /** Shows the phone's payment sheet. Rejects with the plugin's error. */
  readonly pay: (order: WalletPayOrder) => Promise<WalletPayOutcome>;
}

/** Resolves to `undefined` if the phone has neither wallet. Never rejects. */
export async function findWalletPay(facts: WalletPayFacts): Promise<WalletPay | undefined> {
  if (!isInShell()) return undefined;
  const { createWalletPay } = await import('./stripe-wallet-pay.ts');
  return createWalletPay(facts);
}
