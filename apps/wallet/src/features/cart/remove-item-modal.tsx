import { m } from '@athos/messages/messages';
import { ConfirmDialog } from '@athos/ui/overlays/dialog';

interface RemoveItemModalProps {
  isOpen: boolean;
  onRemove: () => void;
  onCancel: () => void;
  /** Gets the focus when the dialog closes; `null`: the button that opened it. */
  focusAfter: () => HTMLElement | null;
}

/** Spec 2: the question before a line is removed. */
export function RemoveItemModal({ isOpen, onRemove, onCancel, focusAfter }: RemoveItemModalProps) {
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={m.cart_remove_question()}
      confirmLabel={m.cart_remove()}
      isDanger
      onConfirm={onRemove}
      onCancel={onCancel}
      focusAfter={focusAfter}
    />
  );
}
