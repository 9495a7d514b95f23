/** The status of redeeming without a network, as screens show it. */
import { createValue } from '@athos/app-core/value';

export interface OfflineStatus {
  /** The part of the allowance that is left for this venue and these staff; absent if nothing can be redeemed without a network. */
  readonly allowance:
    { readonly left: number; readonly max: number; readonly untilMs: number } | undefined;
  /** The number of redemptions that the server does not have yet. */
  readonly waitingCount: number;
  /** The server or this device has found that the log was tampered with. */
  readonly isSuspect: boolean;
}

/** `undefined` on a device that works online only. */
export const offlineStatus = createValue<OfflineStatus | undefined>(undefined);

/** Whether this device judges codes of this venue itself when the server does not respond. */
export const canJudge = (): boolean => offlineStatus.get()?.allowance !== undefined;

/** Whether staff have agreed to redeem without a network. Ends when the network is back. */
export const isShiftOn = createValue(false);
