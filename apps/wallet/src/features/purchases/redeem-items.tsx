import { QR_ITEMS_MAX } from '@athos/domain/qr-payload';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { QuantityPicker } from '@athos/ui/fields/quantity-picker';
import { IconButton } from '@athos/ui/primitives/icon-button';
import { InlineMarkdown, plainText } from '@athos/ui/text/markdown';
import { Notice } from '@athos/ui/primitives/notice';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import { useId } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { ItemPicture } from './item-picture.tsx';
import { groupEqual } from './purchase-groups.ts';
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
        {groupEqual(items).map((equal) => {
          const ids = equal.map(({ id }) => id);
          const count = ids.filter((id) => selectedSet.has(id)).length;
          return (
            <EqualItems
              key={ids[0]}
              items={equal}
              count={count}
              countMax={Math.min(ids.length, count + QR_ITEMS_MAX - selected.length)}
              restId={isFull ? restId : undefined}
              onChoose={(chosenCount) => redemption.choose(ids, chosenCount)}
              onOpen={onOpenItem}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface EqualItemsProps {
  /** Has at least one element; several equal items share a row with a stepper. */
  items: readonly PurchaseItem[];
  /** The number of them in the code, and the number that fits. */
  count: number;
  countMax: number;
  /** The id of the text that says that the code is full; set only in that case. */
  restId: string | undefined;
  onChoose: (count: number) => void;
  onOpen: (itemId: number) => void;
}

function EqualItems({ items, count, countMax, restId, onChoose, onOpen }: EqualItemsProps) {
  const [item] = items;
  if (item === undefined) return null;
  const { isActive, title } = item.offer;
  const isFull = count === 0 && restId !== undefined;
  return (
    <li className="pl-gutter flex flex-wrap items-center gap-x-1 gap-y-2 py-2.5 pr-2">
      <div className="flex min-w-0 grow items-center gap-1">
        {item.redeemedAt === null ? (
          <Checkbox
            isChecked={count > 0}
            isDisabled={!isActive || isFull}
            describedBy={isFull ? restId : undefined}
            onCheckedChange={(isChecked) => onChoose(isChecked ? countMax : 0)}
          >
            <ItemPicture item={item} />
            <span className="flex min-w-0 flex-[1_1_8rem] flex-col">
              <ItemTitle item={item} count={items.length} />{' '}
              {!isActive && (
                <span className="text-caption text-ink-quiet">{m.purchases_reason_inactive()}</span>
              )}
            </span>
          </Checkbox>
        ) : (
          <RedeemedItem item={item} count={items.length} redeemedAt={item.redeemedAt} />
        )}
        <IconButton
          label={m.purchases_redeem_details({ title: plainText(title) })}
          aria-haspopup="dialog"
          icon={<Info size={20} aria-hidden />}
          onClick={() => onOpen(item.id)}
        />
      </div>
      {items.length > 1 && item.redeemedAt === null && isActive && (
        <div className="ms-auto">
          <QuantityPicker
            label={m.purchases_redeem_how_many({ title: plainText(title) })}
            value={count}
            min={0}
            max={countMax}
            onValueChange={onChoose}
          />
        </div>
      )}
    </li>
  );
}

function ItemTitle({ item, count }: { item: PurchaseItem; count: number }) {
  return (
    <span className="text-body font-semibold text-balance">
      {count > 1 && (
        <>
          <span className="tabular">{m.common_times({ count })}</span>{' '}
        </>
      )}
      <InlineMarkdown text={item.offer.title} />
    </span>
  );
}

interface RedeemedItemProps {
  item: PurchaseItem;
  count: number;
  redeemedAt: string;
}

function RedeemedItem({ item, count, redeemedAt }: RedeemedItemProps) {
  return (
    <div className="flex min-w-0 grow flex-wrap items-center gap-3">
      <CircleCheck size={24} aria-hidden className="text-success shrink-0" />
      <ItemPicture item={item} />
      <div className="flex min-w-0 flex-[1_1_8rem] flex-col">
        <ItemTitle item={item} count={count} />
        <span className="text-caption text-success">
          {m.purchases_redeemed_at({ ...dateAndTime(redeemedAt) })}
        </span>
      </div>
    </div>
  );
}
