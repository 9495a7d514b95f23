/** The dialogs with the actions on a merchant. */
import { exactAthText, parseAmount, parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseText } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';
import type { Merchant, MerchantAct } from './merchant-screen.tsx';

interface DialogProps {
  merchant: Merchant;
  onClose: () => void;
}

export function MerchantDialog({ act, ...props }: DialogProps & { act: MerchantAct }) {
  switch (act) {
    case 'text':
      return <MerchantTextDialog {...props} />;
    case 'archive':
      return <ArchiveDialog {...props} />;
    case 'settle':
      return <SettleDialog {...props} />;
  }
}

interface TextDialogProps {
  /** `undefined` for a new one. */
  merchant: Merchant | undefined;
  /** Called with the id of a new merchant. */
  onClose: (addedId?: number) => void;
}

/** Edits name and note. Changes that another person saved meanwhile are shown beside the typed text. */
export function MerchantTextDialog({ merchant, onClose }: TextDialogProps) {
  const create = useAdminAction('createMerchant');
  const change = useAdminAction('changeMerchant');
  const [name, setName] = useState(merchant?.name ?? '');
  const [note, setNote] = useState(merchant?.note ?? '');
  const [version, setVersion] = useState(merchant?.version ?? 0);
  const [present, setPresent] = useState<Merchant>();
  const isPending = create.isPending || change.isPending;
  const body = { name: name.trim(), note: note.trim() };
  type Outcome = ActionOutcome<'createMerchant' | 'changeMerchant'>;

  async function run(): Promise<Outcome> {
    if (merchant === undefined) return create.run({ body });
    const outcome = await change.run({ params: { id: merchant.id }, body }, version);
    if (outcome.kind !== 'conflict') return outcome;
    const other = outcome.present as Merchant;
    setVersion(other.version);
    setPresent(other);
    return outcome;
  }

  function handleTake(other: Merchant): void {
    setName(other.name);
    setNote(other.note);
    setPresent(undefined);
  }

  return (
    <ActionDialog
      title={
        merchant === undefined ? m.merchants_add() : m.merchants_edit_title({ name: merchant.name })
      }
      effect={merchant === undefined ? m.merchants_add_effect() : m.merchants_edit_effect()}
      actLabel={merchant === undefined ? m.merchants_add() : m.console_save()}
      doneText={m.console_saved()}
      hasReason={false}
      hasConflictView
      disabledReason={body.name === '' ? m.merchants_reason_name() : undefined}
      isPending={isPending}
      run={run}
      onClose={(outcome) =>
        onClose(
          merchant === undefined && outcome?.kind === 'done'
            ? (outcome.answer as Merchant).id
            : undefined,
        )
      }
    >
      {present !== undefined && (
        <Conflict
          present={{ name: present.name, note: present.note }}
          typed={body}
          isPending={isPending}
          onKeep={() => void run().then((outcome) => outcome.kind === 'done' && onClose())}
          onTake={() => handleTake(present)}
        />
      )}
      <DenseField label={m.merchants_name()} value={name} onValueChange={setName} maxLength={80} />
      <DenseText
        label={m.merchants_note()}
        hint={m.merchants_note_hint()}
        value={note}
        onValueChange={setNote}
        maxLength={2_000}
      />
    </ActionDialog>
  );
}

function ArchiveDialog({ merchant, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('archiveMerchant');
  const isArchiving = merchant.archivedAt === null;
  const label = isArchiving ? m.merchants_archive() : m.merchants_restore();
  const { name } = merchant;
  return (
    <ActionDialog
      title={label}
      effect={
        isArchiving ? m.merchants_archive_effect({ name }) : m.merchants_restore_effect({ name })
      }
      actLabel={label}
      isDanger={isArchiving}
      doneText={m.console_saved()}
      hasReason={false}
      isPending={isPending}
      run={() =>
        run({ params: { id: merchant.id }, body: { isArchived: isArchiving } }, merchant.version)
      }
      onClose={onClose}
    />
  );
}

/** The typed amount in micro-units, or the reason why it cannot be settled. */
function settlementOf(typed: string, balance: string): { units: string } | { missing: string } {
  const units = parseAmount(typed, 'ATH');
  if (units === undefined || units <= BigInt(0)) return { missing: m.merchants_reason_amount() };
  if (units > BigInt(balance)) return { missing: m.merchants_reason_above() };
  return { units: units.toString() };
}

function SettleDialog({ merchant, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('settleMerchant');
  const balance = merchant.balance ?? '0';
  const [typed, setTyped] = useState(() => exactAthText(parseUnits(balance)));
  const settlement = settlementOf(typed, balance);
  const isSound = 'units' in settlement;
  const amount = moneyText(isSound ? settlement.units : '0', 'ATH');
  const left = isSound ? (BigInt(balance) - BigInt(settlement.units)).toString() : balance;
  const { id, name } = merchant;
  return (
    <ActionDialog
      title={m.merchants_settle_title({ name })}
      effect={
        isSound
          ? m.merchants_settle_effect({ amount, name, left: moneyText(left, 'ATH') })
          : settlement.missing
      }
      actLabel={isSound ? m.merchants_settle_act({ amount }) : m.merchants_settle()}
      doneText={m.console_requested()}
      disabledReason={isSound ? undefined : settlement.missing}
      isPending={isPending}
      run={(reason) =>
        run({ params: { id }, body: { amount: isSound ? settlement.units : '', reason } })
      }
      onClose={onClose}
    >
      <DenseField
        label={m.merchants_settle_amount({ symbol: 'ATH' })}
        hint={m.merchants_settle_hint({ balance: moneyText(balance, 'ATH') })}
        inputMode="decimal"
        value={typed}
        onValueChange={setTyped}
      />
    </ActionDialog>
  );
}
