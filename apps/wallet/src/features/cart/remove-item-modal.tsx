import { m } from '@athos/messages/messages';
import { ConfirmDialog } from '@athos/ui/overlays/dialog';

interface RemoveItemModalProps {
  isOpen: boolean;
  onRemove: () => void;
  onCancel: () => void;
  /** Returns the element to focus when the dialog closes, or `null` for the button that opened it. */
  focusAfter: () => HTMLElement | null;
}

/** Spec 2: asks for confirmation before a line is removed. */
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
