/** Redeeming happens once for a key, however often it is asked for. Nothing is called redeemed before the server says so. */
import type { AnswerOf } from '@athos/contract/api';
import { moveValue, type Outcome } from '@athos/client/outcome';
import type { RedeemIntent } from '../state/redeem-intent.ts';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

export type Redemption = AnswerOf<'scannerRedeem'>;
export type RedeemedItem = Redemption['results'][number];

export function redeemItems({
  key,
  content,
  isRepeat,
}: RedeemIntent): Promise<Outcome<Redemption>> {
  const { payload, venueId, itemIds } = content;
  const body = { payload, venue_id: venueId, item_ids: [...itemIds] };
  return moveValue(() => asStaff(client.call('scannerRedeem', { body, key })), isRepeat);
}
