import {
  FALLBACK_USD_PER_ATH,
  microAth,
  usdOfTokensRoundedUp,
  type TokenUnits,
  type UsdCents,
} from '@athos/domain/money';
import type { Db } from '../../platform/database/database.ts';
import { selectCurrentRate } from './rate.sql.ts';

/** The value of an amount for a limit, at the current rate and rounded up. Each token counts at the rate of the main one. */
export const readWorth = async (db: Db, amount: TokenUnits): Promise<UsdCents> =>
  usdOfTokensRoundedUp(microAth(amount), (await selectCurrentRate(db)) ?? FALLBACK_USD_PER_ATH);
