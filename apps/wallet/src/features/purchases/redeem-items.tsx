import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { IconButton } from '@athos/ui/primitives/icon-button';
import { InlineMarkdown, plainText } from '@athos/ui/text/markdown';
import { Notice } from '@athos/ui/primitives/notice';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import { useId } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { ItemPicture } from './item-picture.tsx';
import { hasRest } from './selection.ts';
import type { RedemptionState } from './use-redemption.ts';
import { dateAndTime } from './words.ts';

interface RedeemItemsProps {
  items: readonly PurchaseItem[];
  redemption: RedemptionState;
  onOpenItem: (itemId: number) => void;
}

/** The items in the code, and those already redeemed. */
export function RedeemItems({ items, redemption, onOpenItem }: RedeemItemsProps) {
  const headingId = useId();
  const restId = useId();
  const { selected } = redemption;
  const selectedSet = new Set(selected);
  const isFull = selected.length >= QR_ITEMS_MAX;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="font-display text-title font-bold">
        {m.purchases_redeem_items()}{' '}
        <span className="text-ink-quiet text-body font-text tabular inline-block font-medium">
          {selected.length > 0
            ? m.purchases_redeem_count({ count: selected.length })
            : m.purchases_redeem_none()}
        </span>
      </h2>
      {hasRest(items, selected) && (
        <Notice kind="info" title={m.purchases_redeem_rest()}>
          <span id={restId}>{m.purchases_redeem_rest_text({ max: QR_ITEMS_MAX })}</span>
        </Notice>
      )}
      <ul className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring">
        {items.map((item) => {
          const isSelected = selectedSet.has(item.id);
          return (
            <ItemRow
              key={item.id}
              item={item}
              isSelected={isSelected}
              fullReasonId={isFull && !isSelected ? restId : undefined}
              onToggle={() => redemption.toggle(item.id)}
              onOpen={() => onOpenItem(item.id)}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface ItemRowProps {
  item: PurchaseItem;
  isSelected: boolean;
  /** The id of the text that says that no more items fit; set only in that case. */
  fullReasonId: string | undefined;
  onToggle: () => void;
  onOpen: () => void;
}

function ItemRow({ item, isSelected, fullReasonId, onToggle, onOpen }: ItemRowProps) {
  const { isActive, title } = item.offer;
  return (
    <li className="pl-gutter flex items-center gap-1 py-2.5 pr-2">
      {item.redeemedAt === null ? (
        <Checkbox
          isChecked={isSelected}
          isDisabled={!isActive || fullReasonId !== undefined}
          describedBy={fullReasonId}
          onCheckedChange={onToggle}
        >
          <ItemPicture item={item} />
          <span className="flex min-w-0 flex-[1_1_8rem] flex-col">
            <ItemTitle item={item} />{' '}
            {!isActive && (
              <span className="text-caption text-ink-quiet">{m.purchases_reason_inactive()}</span>
            )}
          </span>
        </Checkbox>
      ) : (
        <RedeemedItem item={item} redeemedAt={item.redeemedAt} />
      )}
      <IconButton
        label={m.purchases_redeem_details({ title: plainText(title) })}
        aria-haspopup="dialog"
        icon={<Info size={20} aria-hidden />}
        onClick={onOpen}
      />
    </li>
  );
}

function ItemTitle({ item }: { item: PurchaseItem }) {
  return (
    <span className="text-body font-semibold text-balance">
      <InlineMarkdown text={item.offer.title} />
    </span>
  );
}

function RedeemedItem({ item, redeemedAt }: { item: PurchaseItem; redeemedAt: string }) {
  return (
    <div className="flex min-w-0 grow flex-wrap items-center gap-3">
      <CircleCheck size={24} aria-hidden className="text-success shrink-0" />
      <ItemPicture item={item} />
      <div className="flex min-w-0 flex-[1_1_8rem] flex-col">
        <ItemTitle item={item} />
        <span className="text-caption text-success">
          {m.purchases_redeemed_at({ ...dateAndTime(redeemedAt) })}
        </span>
      </div>
    </div>
  );
}
