/** Redeeming: happens once for a key, however often it is asked for. Nothing is called redeemed before the server said so. */
import type { AnswerOf } from '@athos/contract/api';
import type { ErrorCode } from '@athos/contract/errors';
import { ApiError } from '@athos/client/errors';
import { callTwice } from '@athos/client/outcome';
import type { RedeemIntent } from '../state/redeem-intent.ts';
import { client } from './http.ts';
import { endIfNotStaff } from './staff.ts';

export type Redemption = AnswerOf<'scannerRedeem'>;
export type RedeemedItem = Redemption['results'][number];

export type RedeemOutcome =
  | { readonly kind: 'answered'; readonly redemption: Redemption }
  /** Nothing was redeemed. */
  | { readonly kind: 'refused'; readonly code: ErrorCode | undefined }
  /** It may have been redeemed: ask again with the same key. */
  | { readonly kind: 'unknown' }
  /** The session is over, with the outcome unknown. */
  | { readonly kind: 'ended' };

/** A repeat that was not let through says nothing about what an earlier attempt did. */
const NOT_LET_THROUGH = [408, 425, 429];

/** Never rejects. The client asks once more with the same key by itself when no answer comes. */
export async function redeemItems(intent: RedeemIntent): Promise<RedeemOutcome> {
  const { key, payload, venueId, itemIds } = intent;
  try {
    const body = { payload, venue_id: venueId, item_ids: [...itemIds] };
    const redemption = await callTwice(() => client.call('scannerRedeem', { body, key }));
    return { kind: 'answered', redemption };
  } catch (error) {
    if (endIfNotStaff(error)) return { kind: 'ended' };
    if (!(error instanceof ApiError)) return { kind: 'unknown' };
    if (error.status === 401) return { kind: 'ended' };
    const isUnknown = error.status >= 500 || NOT_LET_THROUGH.includes(error.status);
    return isUnknown ? { kind: 'unknown' } : { kind: 'refused', code: error.code };
  }
}
