import { m } from '@athos/messages/messages';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useEffect, useRef } from 'react';

/**
 * Spec 2: covers the screen during a purchase. It takes the focus, so the keyboard cannot reach anything below it
 * either.
 */
export function PurchasingOverlay() {
  const overlay = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    overlay.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
      // The button has disappeared, because the cart is now empty.
      if (document.activeElement === document.body) document.getElementById('content')?.focus();
    };
  }, []);
  // Not selectable: a double click on 'Buy' would select the text of the whole page.
  return (
    <div
      role="status"
      tabIndex={-1}
      ref={overlay}
      className="bg-scrim animate-veil fixed inset-0 z-40 flex items-center justify-center p-6 outline-none select-none"
    >
      <div className="bg-raised text-ink shadow-raised rounded-large max-w-dialog flex flex-col items-center gap-2 px-8 py-7 text-center [&_svg]:size-8">
        <Spinner />
        <p className="font-display text-title pt-2 font-bold">{m.cart_purchasing()}</p>
        <p className="text-body text-ink-quiet text-pretty">{m.cart_purchasing_text()}</p>
      </div>
    </div>
  );
}
