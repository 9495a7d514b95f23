import { m } from '@athos/messages/messages';
import { ConfirmDialog } from '@athos/ui/overlays/dialog';

interface ConfirmDeletionModalProps {
  isOpen: boolean;
  /** The forfeited tokens as text; `undefined` if nothing is forfeited. */
  forfeited: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Spec 2: confirms the deletion of the account. */
export function ConfirmDeletionModal(props: ConfirmDeletionModalProps) {
  const { isOpen, forfeited, onConfirm, onCancel } = props;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={m.settings_delete_confirm()}
      text={forfeited === undefined ? undefined : m.settings_delete_confirm_forfeit({ forfeited })}
      confirmLabel={m.common_yes()}
      cancelLabel={m.common_no()}
      isDanger
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}
