import { RowIcon } from '@athos/ui/primitives/list-row';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import ShoppingBag from 'lucide-react/icons/shopping-bag';
import type { Movement } from '../../api/history.ts';
import { hasFailed } from './movement.ts';

const ICONS = {
  purchase: ShoppingBag,
  payment: CreditCard,
  send: ArrowUpRight,
  receive: ArrowDownLeft,
  reward: Gift,
} as const;

const INCOMING: ReadonlySet<Movement['kind']> = new Set(['payment', 'receive', 'reward']);

/** Green for incoming, red for failed, neutral for all other movements. */
export function MovementIcon({ movement }: { movement: Movement }) {
  const Icon = ICONS[movement.kind];
  const tone = hasFailed(movement) ? 'danger' : INCOMING.has(movement.kind) ? 'success' : 'neutral';
  return (
    <RowIcon tone={tone}>
      <Icon size={20} />
    </RowIcon>
  );
}
