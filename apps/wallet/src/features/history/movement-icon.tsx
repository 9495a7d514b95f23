import { RowIcon } from '@athos/ui/primitives/list-row';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import ShoppingBag from 'lucide-react/icons/shopping-bag';
import type { HistoryItem } from '../../api/history.ts';
import { hasFailed } from './movement.ts';

const ICONS = {
  Purchase: ShoppingBag,
  Payment: CreditCard,
  Send: ArrowUpRight,
  Receive: ArrowDownLeft,
  Reward: Gift,
} as const;

const INCOMING: ReadonlySet<string> = new Set(['Payment', 'Receive', 'Reward']);

/** Green comes in, red failed; the rest is neutral. */
export function MovementIcon({ item }: { item: HistoryItem }) {
  const Icon = ICONS[item.type];
  const tone = hasFailed(item) ? 'danger' : INCOMING.has(item.type) ? 'success' : 'neutral';
  return (
    <RowIcon tone={tone}>
      <Icon size={20} />
    </RowIcon>
  );
}
