import { useTickets } from '../../api/tickets.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Why a purchase cannot be redeemed now. A phone that keeps tickets can show a code without a network. */
export function useRedeemReason(): string | undefined {
  const offlineReason = useOfflineReason();
  const kept = useTickets(useUserUuid());
  return kept == null ? offlineReason : undefined;
}
