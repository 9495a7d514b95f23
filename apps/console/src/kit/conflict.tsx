/** Shows both versions after somebody else has changed the same object. The typed values are kept (O-050). */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Difference } from './difference.tsx';

interface ConflictProps {
  /** The fields as they are now. */
  present: unknown;
  /** The same fields as typed here. */
  typed: unknown;
  /** Saves the typed values over the present version. */
  onKeep: () => void;
  /** Discards the typed values. */
  onTake: () => void;
  isPending: boolean;
}

export function Conflict({ present, typed, onKeep, onTake, isPending }: ConflictProps) {
  return (
    <Notice
      kind="info"
      title={m.console_conflict_title()}
      action={
        <div className="flex flex-wrap gap-2">
          <Button isDense isPending={isPending} onClick={onKeep}>
            {m.console_conflict_keep()}
          </Button>
          <Button variant="quiet" isDense onClick={onTake}>
            {m.console_conflict_take()}
          </Button>
        </div>
      }
    >
      <p className="text-dense pb-3">{m.console_conflict()}</p>
      <Difference before={present} after={typed} />
    </Notice>
  );
}
