import { ApiError } from '@athos/client/errors';
import { formatUsd, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { amountSizeClass } from '@athos/ui/money/balance';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Card, DetailList, type Detail } from '@athos/ui/primitives/card';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { InlineMarkdown, Markdown } from '@athos/ui/text/markdown';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Picture } from '@athos/ui/primitives/picture';
import { Screen } from '@athos/ui/layout/screen';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import SearchX from 'lucide-react/icons/search-x';
import { useLocation, useParams } from 'react-router';
import {
  useHistoryItem,
  type Movement,
  type Payment,
  type PurchasedOffer,
  type Tip,
} from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { detailDate } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { idOfAddress } from './movement-id.ts';
import { signedAmount, statusLabel, symbolOf, typeLabel } from './movement.ts';

const SKELETON_ROW_COUNT = 4;

/** Spec 2 `/app/history/{id}`: all details of one movement. */
export function HistoryDetailScreen() {
  const { id } = useParams();
  const { state } = useLocation();
  return (
    <Screen title={m.history_detail_title()} backTo={paths.history} width="form">
      <MovementOf id={idOfAddress(id, state)} />
    </Screen>
  );
}

function MovementOf({ id }: { id: number | undefined }) {
  const { data: movement, error, refetch } = useHistoryItem(id);
  if (movement !== undefined) return <MovementCard movement={movement} />;
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
    return <FailureNotice text={m.history_failed()} onTryAgain={() => void refetch()} />;
  }
  return <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />;
}

function MovementCard({ movement }: { movement: Movement }) {
  const amount = signedAmount(movement);
  return (
    <>
      <div className="flex flex-col items-center gap-2 py-4 text-center">
        <MovementIcon movement={movement} />
        <p className="text-body text-ink-quiet">{typeLabel(movement)}</p>
        <p className={`amount ${amountSizeClass(amount)}`}>
          {amount} <span className="text-lead text-ink-quiet">{symbolOf(movement)}</span>
        </p>
      </div>
      <Card>
        <DetailList
          details={[
            { label: m.history_status(), value: statusLabel(movement) },
            { label: m.history_date(), value: detailDate(movement.at) },
            { label: m.history_id(), value: String(movement.id) },
            // A total comes last.
            ...detailsOf(movement),
          ]}
        />
      </Card>
      {movement.kind === 'purchase' && <OfferCard offer={movement.offer} />}
    </>
  );
}

/** The offer as it was at the time of purchase. */
function OfferCard({ offer }: { offer: PurchasedOffer }) {
  const { title, imageUrl, note } = offer;
  if (title === '' && note === '') return null;
  return (
    <Card className="flex flex-col gap-3">
      {imageUrl !== '' && (
        <Picture
          sources={[]}
          src={imageUrl}
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

/** Spec 2: the price is the total without both fees. */
const paymentDetails = ({ totalUsdCents, feesUsdCents }: Payment): Detail[] => [
  { label: m.history_price(), value: formatUsd(usdCents(totalUsdCents - feesUsdCents)) },
  { label: m.history_fees(), value: formatUsd(feesUsdCents) },
  { label: m.history_total(), value: formatUsd(totalUsdCents), isTotal: true },
];

const counterpartyDetails = (label: string, uuid: string | null): Detail[] =>
  uuid === null ? [] : [{ label, value: uuid, isLong: true }];

/** What the giver wrote. A tip does not name an account. */
const tipDetails = ({ from, note }: Tip): Detail[] => [
  { label: m.history_from(), value: from === '' ? m.history_tip_anonymous() : from },
  ...(note === '' ? [] : [{ label: m.history_note(), value: note, isLong: true }]),
];

function detailsOf(movement: Movement): Detail[] {
  switch (movement.kind) {
    case 'payment':
      return paymentDetails(movement);
    case 'send':
      return counterpartyDetails(m.history_to(), movement.counterpartyUuid);
    case 'receive':
      return [
        ...counterpartyDetails(m.history_from(), movement.counterpartyUuid),
        ...(movement.tip === null ? [] : tipDetails(movement.tip)),
      ];
    case 'purchase':
      return [{ label: m.history_count(), value: String(movement.itemCount) }];
    case 'reward':
      return [];
  }
}
