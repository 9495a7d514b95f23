import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useValue } from '@athos/app-core/value';
import { useEffect, useSyncExternalStore } from 'react';
import { redeemReward, redemptionFailure } from '../../api/reward.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { isReadingOffline } from '../../state/network.ts';
import { redemptionOf, type Redemption, type RedemptionState } from '../../state/redemption.ts';

/** Spec 4: from idle to submitting, and to submitted on success; idle again on failure. Does nothing while not idle. */
async function redeem(code: string, redemption: Redemption): Promise<void> {
  const before = redemption.get();
  if (before.status !== 'idle') return;
  redemption.set({ status: 'submitting' });
  try {
    const amount = await redeemReward(code, redemption.key);
    redemption.set({ status: 'submitted', amount });
  } catch (error) {
    const failure = redemptionFailure(error, before.failure === 'unknown');
    redemption.set({ status: 'idle', failure });
    toasts.show('danger', m.errors_redeem(), 4000);
  }
}

/** Redeems a code by itself, once; after a failure whenever it is asked to. */
export function useRedemption(code: string): { state: RedemptionState; tryAgain: () => void } {
  const redemption = redemptionOf(useUserUuid(), code);
  const state = useSyncExternalStore(redemption.subscribe, redemption.get);

  const isOffline = useValue(isReadingOffline);

  useEffect(() => {
    // It begins by itself when the connection is back.
    if (isOffline) return;
    const current = redemption.get();
    const hasFailed = current.status === 'idle' && current.failure !== undefined;
    if (!hasFailed) void redeem(code, redemption);
  }, [code, redemption, isOffline]);

  return { state, tryAgain: () => void redeem(code, redemption) };
}
