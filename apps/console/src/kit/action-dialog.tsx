/**
 * An action that moves value or takes something away: its effect in numbers (O-165), a field for the reason, and a button that names the
 * action. It stays open with all input until the server has responded.
 */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState, type ReactNode } from 'react';
import type { ActionOutcome } from '../api/admin.ts';
import type { ConsoleCallName } from '@athos/contract/console/calls';
import { DenseText } from './dense-field.tsx';
import { Dialog } from './dialog.tsx';

export const REASON_LENGTH_MIN = 10;
const REASON_LENGTH_MAX = 500;

interface ActionDialogProps<Name extends ConsoleCallName> {
  title: string;
  /** The effect: `Takes 320.00 ATH, returns 59.20 USD to the card ending 4242`. */
  effect: ReactNode;
  /** The label of the action, such as `Refund 59.20 USD`. */
  actLabel: string;
  isDanger?: boolean;
  /** Further fields. */
  children?: ReactNode;
  /** The reason why it cannot be sent yet, other than a missing reason text. */
  disabledReason?: string | undefined;
  /** Whether a reason must be given. Defaults to true. */
  hasReason?: boolean;
  /** The children compare both versions after a conflict, so the dialog shows nothing about it. */
  hasConflictView?: boolean;
  isPending: boolean;
  run: (reason: string) => Promise<ActionOutcome<Name>>;
  /** The toast shown once it is done. */
  doneText: string;
  onClose: (outcome: ActionOutcome<Name> | undefined) => void;
}

export function ActionDialog<Name extends ConsoleCallName>(props: ActionDialogProps<Name>) {
  const { hasReason = true, isPending, onClose } = props;
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<ActionOutcome<Name>>();

  const reasonMissing =
    hasReason && reason.trim().length < REASON_LENGTH_MIN
      ? m.console_reason_too_short({ count: REASON_LENGTH_MIN })
      : undefined;

  async function handleAct(): Promise<void> {
    setFailure(undefined);
    const outcome = await props.run(reason.trim());
    if (outcome.kind === 'cancelled') return;
    if (outcome.kind === 'conflict' && props.hasConflictView) return;
    if (outcome.kind !== 'done' && outcome.kind !== 'requested') return setFailure(outcome);
    const text = outcome.kind === 'done' ? props.doneText : m.console_requested();
    toasts.show('success', text, 4000);
    onClose(outcome);
  }

  return (
    <Dialog
      {...(!isPending && { onClose: () => onClose(undefined) })}
      hasCloseButton={false}
      title={props.title}
      description={props.effect}
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={isPending} onClick={() => onClose(undefined)}>
            {m.common_cancel()}
          </Button>
          <Button
            variant={props.isDanger === true ? 'danger' : 'primary'}
            isWide
            isPending={isPending}
            disabledReason={props.disabledReason ?? reasonMissing}
            onClick={() => void handleAct()}
          >
            {props.actLabel}
          </Button>
        </>
      }
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      {props.children}
      {hasReason && (
        <DenseText
          label={m.console_reason()}
          hint={m.console_reason_hint()}
          value={reason}
          onValueChange={setReason}
          maxLength={REASON_LENGTH_MAX}
        />
      )}
    </Dialog>
  );
}

/** Explains an outcome other than `done` and `requested`. */
export function OutcomeNotice({ outcome }: { outcome: ActionOutcome<ConsoleCallName> }) {
  switch (outcome.kind) {
    case 'refused':
      return (
        <Notice kind="danger" title={outcome.title}>
          {[outcome.detail, ...Object.values(outcome.errors)]
            .filter((text) => text !== outcome.title)
            .join(' ')}
        </Notice>
      );
    case 'conflict':
      return (
        <Notice kind="danger" title={m.console_conflict_title()}>
          {m.console_conflict()}
        </Notice>
      );
    case 'unknown':
      return (
        <Notice kind="danger" title={m.console_unknown_title()}>
          {m.console_unknown()}
        </Notice>
      );
    case 'earlier':
      return (
        <Notice kind="danger" title={m.console_earlier_title()}>
          {m.console_earlier()}
        </Notice>
      );
    case 'done':
    case 'requested':
    case 'cancelled':
      return null;
  }
}
