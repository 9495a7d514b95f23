import { lazy, Suspense, useState } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';

const ItemPreviewModal = lazy(async () => ({
  default: (await import('./item-preview-modal.tsx')).ItemPreviewModal,
}));

interface ItemPreviewState {
  /** The last shown item, kept while the modal fades out. `undefined` before the first one. */
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

interface ItemPreviewProps {
  preview: ItemPreviewState;
  /** The items that include it. */
  items: readonly PurchaseItem[];
}

/** The preview modal, loaded when the first item is opened. */
export function ItemPreview({ preview, items }: ItemPreviewProps) {
  if (preview.itemId === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ItemPreviewModal
        item={items.find(({ id }) => id === preview.itemId)}
        isOpen={preview.isOpen}
        onClose={preview.close}
      />
    </Suspense>
  );
}
