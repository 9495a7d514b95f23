import { brand } from '@athos/brand/brand';
import { ApiError } from '@athos/client/errors';
import { formatUsd, usdCents } from '@athos/domain/money';
import { receiptNumber } from '@athos/domain/receipt';
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
import Mail from 'lucide-react/icons/mail';
import SearchX from 'lucide-react/icons/search-x';
import { useLocation, useParams } from 'react-router';
import {
  counterpartyName,
  useHistoryItem,
  type Movement,
  type Payment,
  type PurchasedOffer,
} from '../../api/history.ts';
import { paths } from '../../routes/paths.ts';
import { aliasOf, useContacts, type Contact } from '../../state/contacts.ts';
import { detailDate } from './history-date.ts';
import { MovementIcon } from './movement-icon.tsx';
import { idOfAddress } from './movement-id.ts';
import { MovementNoteCard } from './movement-note.tsx';
import { signedAmount, statusLabel, subjectOf, symbolOf, typeLabel } from './movement.ts';

const SKELETON_ROW_COUNT = 4;

/** Spec 2 `/app/history/{id}`: all details of one movement. */
export function HistoryDetailScreen() {
  const { id } = useParams();
  const { state, search } = useLocation();
  return (
    <Screen title={m.history_detail_title()} backTo={`${paths.history}${search}`} width="form">
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
  const contacts = useContacts();
  const { search } = useLocation();
  const amount = signedAmount(movement);
  const subject = subjectOf(movement, contacts);
  const type = typeLabel(movement);
  return (
    <>
      <div className="flex flex-col items-center gap-1 py-4 text-center">
        <MovementIcon movement={movement} />
        <p className="text-lead mt-2 font-semibold text-balance wrap-anywhere">{subject}</p>
        {subject !== type && <p className="text-body text-ink-quiet">{type}</p>}
        <p className={`amount max-w-full wrap-anywhere ${amountSizeClass(amount)}`}>
          {amount} <span className="text-lead text-ink-quiet">{symbolOf(movement)}</span>
        </p>
      </div>
      <Card>
        <DetailList
          details={[
            ...counterpartyDetails(movement, contacts),
            { label: m.history_date(), value: detailDate(movement.at) },
            { label: m.history_status(), value: statusLabel(movement) },
            { label: m.history_id(), value: String(movement.id) },
            // The content has a total, which comes last.
            ...contentDetails(movement),
          ]}
        />
      </Card>
      {movement.kind === 'purchase' && <OfferCard offer={movement.offer} />}
      <MovementNoteCard movementId={movement.id} />
      {/* A failed payment moved nothing that a receipt could prove. */}
      {(movement.kind !== 'payment' || movement.isCompleted) && (
        <ButtonLink variant="quiet" isWide to={`${paths.receipt(movement.id)}${search}`}>
          {m.history_receipt_title()}
        </ButtonLink>
      )}
      <ProblemLink movementId={movement.id} />
    </>
  );
}

/** A mail to support that names the movement by the number of its receipt, by which staff can find it. */
function ProblemLink({ movementId }: { movementId: number }) {
  const subject = m.history_problem_subject({ number: receiptNumber(movementId) });
  return (
    <a
      href={`mailto:${brand.supportAddress}?subject=${encodeURIComponent(subject)}`}
      className="target rounded-pill text-accent-text hover:bg-sunken inline-flex items-center justify-center gap-2 px-4 font-semibold"
    >
      <Mail size={18} aria-hidden />
      {m.history_problem()}
    </a>
  );
}

/** The offer as it was at the time of purchase. */
function OfferCard({ offer }: { offer: PurchasedOffer }) {
  const { title, imageUrl, note } = offer;
  if (imageUrl === '' && note === '') return null;
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
      {title !== '' && (
        <h2 className="font-display text-title font-bold text-balance">
          <InlineMarkdown text={title} />
        </h2>
      )}
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

/** Shows the contact's name before the account's id, so that the user recognises the person. */
function accountDetail(label: string, uuid: string, contacts: readonly Contact[]): Detail {
  const name = aliasOf(contacts, uuid);
  if (name === undefined) return { label, value: uuid, isLong: true };
  const value = (
    <>
      <span className="block break-normal wrap-anywhere">{name}</span>{' '}
      <span className="text-caption text-ink-quiet block font-normal">{uuid}</span>
    </>
  );
  return { label, value, isLong: true };
}

/** The sender or receiver. A tip shows the giver's name as the giver entered it, and no account. */
function counterpartyDetails(movement: Movement, contacts: readonly Contact[]): Detail[] {
  if (movement.kind !== 'send' && movement.kind !== 'receive') return [];
  const label = movement.kind === 'send' ? m.history_to() : m.history_from();
  const { counterpartyUuid: uuid } = movement;
  if (uuid !== null) return [accountDetail(label, uuid, contacts)];
  const name = counterpartyName(movement, contacts);
  return name === undefined ? [] : [{ label, value: name }];
}

function contentDetails(movement: Movement): Detail[] {
  switch (movement.kind) {
    case 'payment':
      return paymentDetails(movement);
    case 'purchase':
      return [{ label: m.history_count(), value: String(movement.itemCount) }];
    case 'receive': {
      const note = movement.tip?.note ?? '';
      return note === '' ? [] : [{ label: m.history_note(), value: note, isLong: true }];
    }
    case 'send':
    case 'reward':
      return [];
  }
}
