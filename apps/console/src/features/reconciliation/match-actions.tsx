import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useLack } from '../../kit/permission.ts';

export type MoneyAct = 'match' | 'book' | 'explain';

interface MatchActionsProps {
  /** Only a transaction of the provider can be booked. */
  canBook?: boolean;
  /** An entry with the same amount waits on the other side. */
  hasPartner: boolean;
  onAct: (act: MoneyAct) => void;
}

/** The actions that resolve an unmatched entry, the likeliest first. */
export function MatchActions({ canBook = false, hasPartner, onAct }: MatchActionsProps) {
  const lack = useLack();
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Button
        isDense
        variant={hasPartner ? 'primary' : 'quiet'}
        disabledReason={
          lack('reconciliation.manage') ?? (hasPartner ? undefined : m.reconciliation_match_none())
        }
        onClick={() => onAct('match')}
      >
        {m.reconciliation_match()}
      </Button>
      {canBook && (
        <Button
          isDense
          variant={hasPartner ? 'quiet' : 'primary'}
          disabledReason={lack('ledger.book')}
          onClick={() => onAct('book')}
        >
          {m.reconciliation_book()}
        </Button>
      )}
      <Button
        isDense
        variant="quiet"
        disabledReason={lack('reconciliation.manage')}
        onClick={() => onAct('explain')}
      >
        {m.reconciliation_explain()}
      </Button>
    </div>
  );
}
