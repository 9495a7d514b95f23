/** Edits all tiers together and requests the change, with its effect shown while typing. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { useHolds } from '../../kit/permission.ts';
import { TierColumns } from './tier-columns.tsx';
import {
  draftsOf,
  faultsOf,
  isSame,
  linesOf,
  shownDrafts,
  shownTier,
  wantedOf,
  type Ladder,
  type ShownTier,
  type TierDraft,
} from './tier-draft.ts';
import { TierFields } from './tier-fields.tsx';
import { amountsOf, compareTiers, countText, type Holders } from './tier-moves.ts';
import { TierPreview } from './tier-preview.tsx';
import { WhoWouldMove } from './who-would-move.tsx';

interface TierEditorProps {
  /** The tiers when editing began. */
  ladder: Ladder;
  onDone: () => void;
}

const namedOf = ({ items }: Ladder): ReadonlySet<number> =>
  new Set(
    items.flatMap(({ id, offerCount, campaignCount }) =>
      offerCount + campaignCount > 0 ? [id] : [],
    ),
  );

function effectText(
  now: readonly ShownTier[],
  after: readonly ShownTier[] | undefined,
  holders: Holders | undefined,
): string {
  if (after === undefined || holders === undefined || holders.countedAt === null) {
    return m.ladder_effect_uncounted();
  }
  const { movedCount, isExact } = compareTiers(now, after, holders);
  return m.ladder_effect({ moved: countText(movedCount, isExact) });
}

export function TierEditor({ ladder, onDone }: TierEditorProps) {
  const [base, setBase] = useState(ladder);
  const [drafts, setDrafts] = useState<readonly TierDraft[]>(() => draftsOf(ladder));
  const [present, setPresent] = useState<Ladder>();
  const [isAsking, setIsAsking] = useState(false);
  const maySee = useHolds()('reports.money');
  const now = base.items.toReversed().map(shownTier);
  const faults = faultsOf(drafts);
  const after = shownDrafts(drafts);
  const read = useAdminItem(
    'tierHolders',
    { query: { amounts: amountsOf(now, after ?? now) } },
    { isAsked: maySee },
  );
  const missing = faults.size > 0 ? m.ladder_faults() : undefined;
  const unchanged = isSame(drafts, draftsOf(base)) ? m.ladder_unchanged() : undefined;

  function handleConflict(changed: Ladder, drafted: readonly TierDraft[]): void {
    setBase(changed);
    setDrafts(drafted);
    setPresent(undefined);
  }

  return (
    <>
      {present !== undefined && (
        <Conflict
          present={linesOf(draftsOf(present))}
          typed={linesOf(drafts)}
          isPending={false}
          onKeep={() => handleConflict(present, drafts)}
          onTake={() => handleConflict(present, draftsOf(present))}
        />
      )}
      <TierColumns
        main={
          <>
            <TierFields
              drafts={drafts}
              faults={faults}
              named={namedOf(base)}
              onChange={setDrafts}
            />
            <EditorButtons
              disabledReason={missing ?? unchanged}
              onAsk={() => setIsAsking(true)}
              onDiscard={onDone}
            />
          </>
        }
        aside={
          <>
            {maySee && <WhoWouldMove read={read} now={now} after={after} isEditing />}
            <TierPreview tiers={after ?? now} />
          </>
        }
      />
      {isAsking && (
        <RequestDialog
          version={base.version}
          drafts={drafts}
          effect={effectText(now, after, read.item)}
          onConflict={setPresent}
          onClose={(isDone) => (isDone ? onDone() : setIsAsking(false))}
        />
      )}
    </>
  );
}

interface EditorButtonsProps {
  disabledReason: string | undefined;
  onAsk: () => void;
  onDiscard: () => void;
}

const EditorButtons = ({ disabledReason, onAsk, onDiscard }: EditorButtonsProps) => (
  <div className="flex flex-wrap items-start gap-2">
    <Button isDense disabledReason={disabledReason} onClick={onAsk}>
      {m.ladder_request()}
    </Button>
    <Button variant="quiet" isDense onClick={onDiscard}>
      {m.ladder_cancel()}
    </Button>
  </div>
);

interface RequestDialogProps {
  version: number;
  drafts: readonly TierDraft[];
  effect: string;
  /** Called when another person has changed the tiers to `present`. */
  onConflict: (present: Ladder) => void;
  onClose: (isDone: boolean) => void;
}

function RequestDialog({ version, drafts, effect, onConflict, onClose }: RequestDialogProps) {
  const { run, isPending } = useAdminAction('changeTiers');
  async function ask(reason: string) {
    const outcome = await run({ body: { tiers: wantedOf(drafts), reason } }, version);
    if (outcome.kind === 'conflict') {
      onConflict(outcome.present as Ladder);
      onClose(false);
    }
    return outcome;
  }
  return (
    <ActionDialog
      title={m.ladder_request()}
      effect={effect}
      actLabel={m.ladder_request()}
      doneText={m.ladder_done()}
      isPending={isPending}
      run={ask}
      onClose={(outcome) => onClose(outcome !== undefined)}
    />
  );
}
