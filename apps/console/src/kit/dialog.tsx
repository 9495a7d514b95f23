/** The dialog of `packages/ui`, whose code is loaded when the first one opens. */
import type { DialogProps } from '@athos/ui/overlays/dialog';
import { lazy, Suspense } from 'react';

const LoadedDialog = lazy(async () => ({
  default: (await import('@athos/ui/overlays/dialog')).Dialog,
}));

/** Render it only while it is open. */
export function Dialog(props: Omit<DialogProps, 'isOpen'>) {
  return (
    <Suspense fallback={null}>
      <LoadedDialog {...props} isOpen />
    </Suspense>
  );
}
