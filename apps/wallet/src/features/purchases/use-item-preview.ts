import { useState } from 'react';

export interface ItemPreviewState {
  /** Of the item shown last; it stays while the modal leaves. `undefined` before the first. */
  readonly itemId: number | undefined;
  readonly isOpen: boolean;
  readonly open: (itemId: number) => void;
  readonly close: () => void;
}

/** Which item is shown in the preview modal. */
export function useItemPreview(): ItemPreviewState {
  const [shown, setShown] = useState<{ itemId: number | undefined; isOpen: boolean }>({
    itemId: undefined,
    isOpen: false,
  });
  return {
    ...shown,
    open: (itemId) => setShown({ itemId, isOpen: true }),
    close: () => setShown((last) => ({ ...last, isOpen: false })),
  };
}
