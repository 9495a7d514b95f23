import { m } from '@athos/messages/messages';
import { Badge } from '../../kit/badge.tsx';

interface MatchStateProps {
  isMatched: boolean;
  explanation: string | null;
}

export function MatchState({ isMatched, explanation }: MatchStateProps) {
  if (isMatched) return <Badge tone="success">{m.reconciliation_state_matched()}</Badge>;
  return explanation === null ? (
    <Badge tone="danger">{m.reconciliation_state_waiting()}</Badge>
  ) : (
    <Badge>{m.reconciliation_state_explained()}</Badge>
  );
}
