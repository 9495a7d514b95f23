import { ApiError } from '@athos/client/errors';
import { formatUsd, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { amountSizeClass } from '@athos/ui/money/balance';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Card, DetailList, type Detail } from '@athos/ui/primitives/card';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { InlineMarkdown, Markdown } from '@athos/ui/text/markdown';
import { Notice } from '@athos/ui/primitives/notice';
import { Picture } from '@athos/ui/primitives/picture';
import { Screen } from '@athos/ui/layout/screen';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import SearchX from 'lucide-react/icons/search-x';
import { useLocation, useParams } from 'react-router';
import { useHistoryItem, type HistoryItem } from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { detailDate } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { idOfAddress } from './movement-id.ts';
import { signedAmount, statusLabel, symbolOf, typeLabel } from './movement.ts';

const SKELETON_ROW_COUNT = 4;

type PurchasedOffer = Extract<HistoryItem, { type: 'Purchase' }>['data']['offer'];

/** Spec 2 `/app/history/{id}`: one movement in full. */
export function HistoryDetailScreen() {
  const { id } = useParams();
  const { state } = useLocation();
  return (
    <Screen title={m.history_detail_title()} backTo={paths.history} width="form">
      <Movement id={idOfAddress(id, state)} />
    </Screen>
  );
}

function Movement({ id }: { id: number | undefined }) {
  const { data: item, error, refetch } = useHistoryItem(id);
  if (item !== undefined) return <MovementCard item={item} />;
  if (id === undefined || (error instanceof ApiError && error.status === 404)) {
    return (
      <EmptyState
        icon={<SearchX size={28} />}
        title={m.history_detail_not_found()}
        action={<ButtonLink to={paths.history}>{m.history_title()}</ButtonLink>}
      />
    );
  }
  if (error !== null) {
    return (
      <Notice
        kind="danger"
        action={
          <Button variant="quiet" isCompact onClick={() => void refetch()}>
            {m.common_try_again()}
          </Button>
        }
      >
        {m.history_failed()}
      </Notice>
    );
  }
  return <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />;
}

function MovementCard({ item }: { item: HistoryItem }) {
  const amount = signedAmount(item);
  return (
    <>
      <div className="flex flex-col items-center gap-2 py-4 text-center">
        <MovementIcon item={item} />
        <p className="text-body text-ink-quiet">{typeLabel(item)}</p>
        <p className={`amount ${amountSizeClass(amount)}`}>
          {amount} <span className="text-lead text-ink-quiet">{symbolOf(item)}</span>
        </p>
      </div>
      <Card>
        <DetailList
          details={[
            { label: m.history_status(), value: statusLabel(item) },
            { label: m.history_date(), value: detailDate(item.data.date) },
            { label: m.history_id(), value: String(item.data.id) },
            // A total comes last.
            ...detailsOf(item),
          ]}
        />
      </Card>
      {item.type === 'Purchase' && <OfferCard offer={item.data.offer} />}
    </>
  );
}

/** What was bought, as it was then. */
function OfferCard({ offer }: { offer: PurchasedOffer }) {
  const { title, img, note } = offer;
  if (title === '' && note === '') return null;
  return (
    <Card className="flex flex-col gap-3">
      {img !== '' && (
        <Picture
          sources={[]}
          src={img}
          sizes="(min-width: 40rem) 29rem, 90vw"
          ratio="wide"
          className="rounded-small"
        />
      )}
      <h2 className="font-display text-title font-bold text-balance">
        <InlineMarkdown text={title} />
      </h2>
      {note !== '' && <Markdown text={note} headingLevel={3} />}
    </Card>
  );
}

const dollars = (cents: number): string => formatUsd(usdCents(BigInt(cents)));

/** Decision "Fee shown": the price is the total without both fees. */
function paymentDetails({
  amount_paid,
  tx_fee,
  athos_fee,
}: Extract<HistoryItem, { type: 'Payment' }>['data']): Detail[] {
  return [
    { label: m.history_price(), value: dollars(amount_paid - tx_fee - athos_fee) },
    { label: m.history_fees(), value: dollars(tx_fee + athos_fee) },
    { label: m.history_total(), value: dollars(amount_paid), isTotal: true },
  ];
}

const counterpartyDetails = (label: string, uuid: string | null): Detail[] =>
  uuid === null ? [] : [{ label, value: uuid, isLong: true }];

/** The giver's words, where it was a tip: it names no account. */
function tipDetails({
  tip_from: from,
  note = '',
}: Extract<HistoryItem, { type: 'Receive' }>['data']): Detail[] {
  if (from === undefined) return [];
  return [
    { label: m.history_from(), value: from === '' ? m.history_tip_anonymous() : from },
    ...(note === '' ? [] : [{ label: m.history_note(), value: note, isLong: true }]),
  ];
}

function detailsOf(item: HistoryItem): Detail[] {
  switch (item.type) {
    case 'Payment':
      return paymentDetails(item.data);
    case 'Send':
      return counterpartyDetails(m.history_to(), item.data.counterparty);
    case 'Receive':
      return [
        ...counterpartyDetails(m.history_from(), item.data.counterparty),
        ...tipDetails(item.data),
      ];
    case 'Purchase':
      return [{ label: m.history_count(), value: String(item.data.offer_count) }];
    case 'Reward':
      return [];
  }
}
