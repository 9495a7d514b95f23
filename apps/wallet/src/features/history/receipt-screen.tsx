import { ApiError } from '@athos/client/errors';
import { receiptNumber } from '@athos/domain/receipt';
import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Card, DetailList } from '@athos/ui/primitives/card';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Notice } from '@athos/ui/primitives/notice';
import { saveText } from '@athos/ui/primitives/save-text';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import SearchX from 'lucide-react/icons/search-x';
import { useLocation, useParams } from 'react-router';
import { useHistoryItem, type Movement } from '../../api/history.ts';
import { expectedOf, receiptQuery, sealOf, type WireReceipt } from '../../api/receipts.ts';
import { paths } from '../../routes/paths.ts';
import { detailDate } from './history-date.ts';
import { idOfAddress } from './movement-id.ts';
import { hasArrived, signedAmount, statusLabel, symbolOf, typeLabel } from './movement.ts';
import { ReceiptCheck } from './receipt-check.tsx';
import { ReceiptShares } from './receipt-shares.tsx';

const SKELETON_ROW_COUNT = 4;

/** The receipt of a movement, and its verification in this browser. */
export function ReceiptScreen() {
  const { id } = useParams();
  const { state, search } = useLocation();
  const number = idOfAddress(id, state);
  return (
    <Screen
      title={m.history_receipt_title()}
      backTo={`${number === undefined ? paths.history : paths.historyItem(number)}${search}`}
      width="form"
    >
      {number === undefined ? <NotFound /> : <ReceiptOf id={number} />}
    </Screen>
  );
}

const NotFound = () => (
  <EmptyState
    icon={<SearchX size={28} />}
    title={m.history_detail_not_found()}
    action={<ButtonLink to={paths.history}>{m.history_title()}</ButtonLink>}
  />
);

function ReceiptOf({ id }: { id: number }) {
  const { data: movement, error: movementError } = useHistoryItem(id);
  const { data: receipt, error, refetch } = useQuery(receiptQuery(id));
  if (movement !== undefined && receipt !== undefined) {
    return receipt === null ? (
      <Notice kind="info" title={m.history_receipt_sealing()}>
        {m.history_receipt_sealing_text()}
      </Notice>
    ) : (
      <ReceiptCard receipt={receipt} movement={movement} />
    );
  }
  const failure = error ?? movementError;
  if (failure instanceof ApiError && failure.status === 404) return <NotFound />;
  if (failure instanceof ApiError && failure.code === 'movement_changed') {
    return (
      <Notice kind="danger" title={m.history_receipt_changed()}>
        {m.history_receipt_changed_text({ number: receiptNumber(id) })}
      </Notice>
    );
  }
  if (failure !== null) {
    return <FailureNotice text={m.history_receipt_failed()} onTryAgain={() => void refetch()} />;
  }
  return <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />;
}

interface ReceiptCardProps {
  receipt: WireReceipt;
  movement: Movement;
}

function ReceiptCard({ receipt, movement }: ReceiptCardProps) {
  const { day } = receipt;
  const seal = sealOf(receipt);
  const number = receiptNumber(movement.id);
  return (
    <>
      <Card>
        <DetailList
          details={[
            { label: m.history_receipt_number(), value: number },
            { label: m.history_receipt_movement(), value: typeLabel(movement) },
            {
              label: m.history_receipt_amount(),
              value: `${signedAmount(movement)} ${symbolOf(movement)}`,
            },
            { label: m.history_status(), value: statusLabel(movement) },
            { label: m.history_date(), value: detailDate(movement.at) },
            {
              label: m.history_receipt_seal(),
              value: m.history_receipt_seal_of(seal),
            },
            { label: m.history_receipt_sealed_at(), value: detailDate(seal.sealedAt) },
            {
              label: m.history_receipt_head(),
              value: day?.hash ?? m.history_receipt_head_later(),
              isLong: true,
            },
          ]}
        />
      </Card>
      <ReceiptCheck receipts={[{ receipt, expected: expectedOf(movement) }]} />
      <Button
        variant="quiet"
        isWide
        icon={<Download size={18} aria-hidden />}
        onClick={() =>
          void saveText(`${JSON.stringify(receipt, null, 2)}\n`, {
            name: `${number}.json`,
            type: 'application/json',
          })
        }
      >
        {m.history_receipt_save()}
      </Button>
      <p className="text-caption text-ink-quiet text-pretty">{m.history_receipt_note()}</p>
      {hasArrived(movement) ? (
        <ReceiptShares movementId={movement.id} />
      ) : (
        <Notice kind="info">{m.history_share_not_arrived()}</Notice>
      )}
    </>
  );
}
