import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import QrCodeIcon from 'lucide-react/icons/qr-code';
import { InlineMarkdown } from '@athos/ui/text/markdown';
import { useId } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { paths } from '../../routes/paths.ts';
import { ItemPicture } from './item-picture.tsx';
import { isRedeemable, type PurchaseGroup } from './purchase-groups.ts';
import { dateAndTime, summaryOf, titlesOf } from './words.ts';
import { useRedeemReason } from './redeem-reason.ts';

interface GroupCardProps {
  group: PurchaseGroup;
  /** Which section the card is in. */
  isRedeemed: boolean;
  isExpanded: boolean;
  onToggle: () => void;
  onOpenItem: (itemId: number) => void;
}

/** One purchase: its contents and date, its items when expanded, and the link to redeem them as a group. */
export function GroupCard(props: GroupCardProps) {
  const { group, isRedeemed, isExpanded, onToggle, onOpenItem } = props;
  const itemsId = useId();
  return (
    <article className="rounded-medium bg-surface shadow-card inset-ring-line overflow-hidden inset-ring">
      <h3>
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={itemsId}
          onClick={onToggle}
          className="hover:bg-sunken active:bg-sunken flex w-full items-center gap-3 px-gutter py-3.5 text-left -outline-offset-3 transition-colors duration-150 ease-out"
        >
          <span className="flex min-w-0 grow flex-wrap items-center gap-3">
            <GroupHead group={group} isRedeemed={isRedeemed} />
          </span>
          <ChevronDown
            size={20}
            aria-hidden
            className={classNames(
              'text-ink-quiet shrink-0 transition-transform duration-200 ease-out',
              isExpanded && 'rotate-180',
            )}
          />
        </button>
      </h3>
      <div id={itemsId} hidden={!isExpanded}>
        {isExpanded && (
          <ul className="border-line divide-line divide-y border-t">
            {group.items.map((item) => (
              <ItemRow key={item.id} item={item} onOpen={() => onOpenItem(item.id)} />
            ))}
          </ul>
        )}
      </div>
      {!isRedeemed && (
        <div className="border-line border-t p-3">
          <GroupRedeem group={group} />
        </div>
      )}
    </article>
  );
}

/** The spaces between its parts are invisible, but separate the words of the button's accessible name. */
function GroupHead({ group, isRedeemed }: { group: PurchaseGroup; isRedeemed: boolean }) {
  const { items, date } = group;
  const [first] = items;
  const summary = summaryOf(items);
  return (
    <>
      {first !== undefined && <ItemPicture item={first} />}
      <span className="flex min-w-0 flex-[1_1_9rem] flex-col">
        <span className="flex flex-wrap items-start gap-2">
          <span className="text-body font-semibold text-balance">{titlesOf(items)}</span>{' '}
          {items.length > 1 && (
            <span className="rounded-pill inset-ring-line-strong text-caption tabular shrink-0 px-2 py-0.5 font-semibold inset-ring">
              <span aria-hidden="true">{items.length}</span>
              <span className="sr-only">{m.purchases_items({ count: items.length })}</span>
            </span>
          )}
        </span>{' '}
        <span className="text-caption text-ink-quiet">
          {m.purchases_date_at({ ...dateAndTime(date) })}
        </span>{' '}
        <span className={classNames('text-caption', isRedeemed ? 'text-success' : 'font-semibold')}>
          {isRedeemed
            ? m.purchases_summary_redeemed({ summary })
            : m.purchases_summary_unredeemed({ summary })}
        </span>
      </span>{' '}
    </>
  );
}

function ItemRow({ item, onOpen }: { item: PurchaseItem; onOpen: () => void }) {
  const state = stateOf(item);
  return (
    <li>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="hover:bg-sunken active:bg-sunken flex min-h-16 w-full items-center gap-3 px-gutter py-2.5 text-left -outline-offset-3 transition-colors duration-150 ease-out"
      >
        <span className="flex min-w-0 grow flex-wrap items-center gap-3">
          <ItemPicture item={item} />
          <span className="flex min-w-0 flex-[1_1_8rem] flex-col">
            <span className="text-body font-semibold text-balance">
              <InlineMarkdown text={item.offer.title} />
            </span>{' '}
            {state !== undefined && <span className="text-caption text-ink-quiet">{state}</span>}
          </span>
        </span>
        <ChevronRight size={20} aria-hidden className="text-ink-quiet shrink-0" />
      </button>
    </li>
  );
}

function stateOf({ redeemedAt, offer }: PurchaseItem): string | undefined {
  if (redeemedAt !== null) return m.purchases_redeemed_at({ ...dateAndTime(redeemedAt) });
  return offer.isActive ? undefined : m.purchases_reason_inactive();
}

function GroupRedeem({ group }: { group: PurchaseGroup }) {
  const icon = <QrCodeIcon size={18} aria-hidden />;
  const offlineReason = useRedeemReason();
  const reason = group.items.some(isRedeemable)
    ? offlineReason
    : m.purchases_reason_group_inactive();
  if (reason !== undefined) {
    return (
      <Button variant="quiet" isWide icon={icon} disabledReason={reason}>
        {m.purchases_redeem_group()}
      </Button>
    );
  }
  return (
    <ButtonLink variant="quiet" isWide icon={icon} to={paths.redeemPurchase(group.id)}>
      {m.purchases_redeem_group()}
    </ButtonLink>
  );
}
