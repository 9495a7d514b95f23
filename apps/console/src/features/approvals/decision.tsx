import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { session } from '../../state/session.ts';
import type { Approval } from './approval-detail.tsx';
import type { ApprovalAct } from './approval-dialogs.tsx';
import { OBSTACLE_TEXTS } from './approval-words.ts';

interface DecisionProps {
  approval: Approval;
  onAct: (act: ApprovalAct) => void;
}

/** The signed-in person's choices for an open request. The buttons stick to the bottom, unless large text needs the room. */
export function Decision({ approval, onAct }: DecisionProps) {
  const current = useValue(session);
  const { obstacle, requestedBy } = approval;
  const isOwn = current.status === 'signed_in' && current.staff.id === requestedBy?.id;
  return (
    <div className="bg-ground border-line sticky bottom-0 @max-[14rem]/detail:static -mb-6 flex flex-col gap-2 border-t py-3">
      {obstacle !== null && (
        <p className="text-caption text-ink-quiet">{OBSTACLE_TEXTS[obstacle]()}</p>
      )}
      <div className="flex gap-2 *:flex-1">
        {isOwn ? (
          <Button variant="quiet" isDense onClick={() => onAct('withdraw')}>
            {m.approvals_withdraw()}
          </Button>
        ) : (
          <>
            <Button
              variant="quiet"
              isDense
              isDisabled={obstacle !== null}
              onClick={() => onAct('reject')}
            >
              {m.approvals_reject()}
            </Button>
            <Button isDense isDisabled={obstacle !== null} onClick={() => onAct('approve')}>
              {m.approvals_approve()}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
