import { lazy, Suspense } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import type { ItemPreviewState } from './use-item-preview.ts';

const ItemPreviewModal = lazy(async () => ({
  default: (await import('./item-preview-modal.tsx')).ItemPreviewModal,
}));

interface ItemPreviewProps {
  preview: ItemPreviewState;
  /** Where the item is looked for. */
  items: readonly PurchaseItem[];
}

/** The preview modal, fetched when the first item is opened. */
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
