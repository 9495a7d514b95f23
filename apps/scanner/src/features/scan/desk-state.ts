/** The state of the desk: exactly one of these at a time. */
import type { ErrorCode } from '@athos/contract/errors';
import type { OfflineItem, OfflineRefusal } from '@athos/domain/judge-offline';
import type { PurchaseScan, Redemption, TierScan } from '../../api/codes.ts';
import type { RedeemIntent } from '../../state/redeem-intent.ts';

interface Items {
  readonly payload: string;
  readonly scan: PurchaseScan;
  /** Judged by this device, because the server did not respond. */
  readonly isOffline: boolean;
}

export type DeskState =
  | { readonly phase: 'ready' }
  | { readonly phase: 'reading' }
  /** There was no response about the content of the code. It is requested again while the code may still be valid. */
  | { readonly phase: 'lost'; readonly payload: string; readonly isOver: boolean }
  /** `notice`: the server's text; if the programme has stopped redeeming, the programme's own notice. */
  | { readonly phase: 'refused'; readonly code: ErrorCode | undefined; readonly notice: string }
  | ({ readonly phase: 'items' } & Items)
  | { readonly phase: 'tier'; readonly scan: TierScan }
  /** Redeeming, or waiting to retry. After a lost response the outcome is unknown. */
  | { readonly phase: 'redeeming'; readonly intent: RedeemIntent; readonly isAsking: boolean }
  | { readonly phase: 'result'; readonly redemption: Redemption }
  /** Asks staff to agree to redeem without a network. */
  | ({ readonly phase: 'offline_question'; readonly itemIds: readonly number[] } & Items)
  | { readonly phase: 'offline_noting' }
  | { readonly phase: 'offline_refused'; readonly refusal: OfflineRefusal }
  | { readonly phase: 'offline_result'; readonly items: readonly OfflineItem[] };
