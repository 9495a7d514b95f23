import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import type { CartStore } from '../../state/cart.ts';

const RemoveItemModal = lazy(async () => ({
  default: (await import('./remove-item-modal.tsx')).RemoveItemModal,
}));

/** Asks for confirmation before a line is removed (spec 2). The modal outlives the line and the list. */
export function useRemoval(store: CartStore): { ask: (offerId: number) => void; modal: ReactNode } {
  const [leavingId, setLeavingId] = useState<number>();
  const [wasAsked, setWasAsked] = useState(false);
  const isGone = useRef(false);

  const handleRemove = (): void => {
    if (leavingId === undefined) return;
    isGone.current = true;
    setLeavingId(undefined);
    store.remove(leavingId);
    toasts.show('info', m.cart_removed(), 3000);
  };

  return {
    ask(offerId) {
      isGone.current = false;
      setWasAsked(true);
      setLeavingId(offerId);
    },
    modal: wasAsked && (
      <Suspense>
        <RemoveItemModal
          isOpen={leavingId !== undefined}
          onRemove={handleRemove}
          onCancel={() => setLeavingId(undefined)}
          // The button that opened the modal has been removed with its line.
          focusAfter={() => (isGone.current ? document.getElementById('content') : null)}
        />
      </Suspense>
    ),
  };
}
