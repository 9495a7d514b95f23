import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Dialog } from '@athos/ui/overlays/dialog';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Markdown, plainText } from '@athos/ui/text/markdown';
import { Picture } from '@athos/ui/primitives/picture';
import SearchX from 'lucide-react/icons/search-x';
import type { PurchaseItem } from '../../api/purchases.ts';
import { paths } from '../../routes/paths.ts';
import { dateAndTime } from './words.ts';
import { useRedeemReason } from './redeem-reason.ts';

interface ItemPreviewModalProps {
  /** `undefined` if it does not exist. */
  item: PurchaseItem | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Spec 2: the details of one item, with the link to redeem it. */
export function ItemPreviewModal({ item, isOpen, onClose }: ItemPreviewModalProps) {
  if (item === undefined) {
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={m.purchases_preview_title()} isTitleHidden>
        <EmptyState icon={<SearchX size={28} />} title={m.purchases_item_not_found()} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={plainText(item.offer.title)}
      {...(item.redeemedAt === null && {
        actions: <RedeemButton item={item} onPress={onClose} />,
      })}
    >
      <ItemDetails item={item} />
    </Dialog>
  );
}

function ItemDetails({ item }: { item: PurchaseItem }) {
  const { picture, note } = item.offer;
  return (
    <div className="flex flex-col gap-4">
      {picture.src !== '' && (
        <Picture
          {...picture}
          sizes="(min-width: 40rem) 23rem, 90vw"
          ratio="wide"
          className="rounded-medium"
        />
      )}
      <div className="text-body text-ink-quiet flex flex-col">
        <p>{m.purchases_purchased_at({ ...dateAndTime(item.purchasedAt) })}</p>
        {item.redeemedAt !== null && (
          <p className="text-success font-semibold">
            {m.purchases_redeemed_at({ ...dateAndTime(item.redeemedAt) })}
          </p>
        )}
        {item.redeemedVenue !== null && (
          <p>{m.purchases_redeemed_venue({ venue: item.redeemedVenue })}</p>
        )}
      </div>
      {note !== '' && <Markdown text={note} headingLevel={3} />}
    </div>
  );
}

/** Spec 4: only an active offer can be redeemed. */
function RedeemButton({ item, onPress }: { item: PurchaseItem; onPress: () => void }) {
  const offlineReason = useRedeemReason();
  const reason = item.offer.isActive ? offlineReason : m.purchases_reason_inactive();
  if (reason !== undefined) {
    return (
      <Button isWide disabledReason={reason}>
        {m.purchases_redeem_item()}
      </Button>
    );
  }
  return (
    <ButtonLink to={paths.redeemPurchase(item.purchaseId, item.id)} isWide onClick={onPress}>
      {m.purchases_redeem_item()}
    </ButtonLink>
  );
}
