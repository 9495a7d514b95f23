import { TOKEN_ASSETS, units, type TokenAsset, type Units } from '@athos/domain/money';
import { userAccountId, type Ledger } from '../../ledger/index.ts';

type Balances = Readonly<Record<TokenAsset, Units>>;

/** The balances of a user in every token. */
export async function readBalances(ledger: Ledger, userId: bigint): Promise<Balances> {
  const found = await ledger.balances(TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)));
  const balanceIn = (asset: TokenAsset): Units =>
    found.get(userAccountId(userId, asset)) ?? units(0n);
  return { ATH: balanceIn('ATH'), ATH2: balanceIn('ATH2'), ATH3: balanceIn('ATH3') };
}

export const presentBalances = ({ ATH, ATH2, ATH3 }: Balances) => ({
  balance: ATH.toString(),
  balances: { ATH: ATH.toString(), ATH2: ATH2.toString(), ATH3: ATH3.toString() },
});
