import { queryClient } from '@athos/app-core/query-client';
import { ApiError } from '@athos/client/errors';
import { formatAthExact, tokenUnits } from '@athos/domain/money';
import {
  movementOf,
  receiptNumber,
  type ReceiptMovement,
  type ReceiptPart,
} from '@athos/domain/receipt';
import { m } from '@athos/messages/messages';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Card, DetailList, type Detail } from '@athos/ui/primitives/card';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Notice } from '@athos/ui/primitives/notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { sharedReceiptQuery } from '../../api/receipt-shares.ts';
import { sealOf, type WireReceipt } from '../../api/receipts.ts';
import { paths } from '../../routes/paths.ts';
import { detailDate } from './history-date.ts';
import { ReceiptCheck } from './receipt-check.tsx';

const SKELETON_ROW_COUNT = 4;
const TOKEN_PATTERN = /^#[\w-]{22}$/;

/** /receipt: a receipt that another user shares by a link. The token is in the fragment, which browsers never send to a server. */
export function SharedReceiptScreen() {
  const { hash } = useLocation();
  return (
    <AuthScreen
      title={m.history_shared_title()}
      lead={m.history_shared_text()}
      backTo={paths.start}
    >
      {TOKEN_PATTERN.test(hash) ? (
        // This screen is outside the signed-in part, which has its own provider.
        <QueryClientProvider client={queryClient}>
          <Shared token={hash.slice(1)} />
        </QueryClientProvider>
      ) : (
        <Gone />
      )}
    </AuthScreen>
  );
}

const Gone = () => (
  <Notice kind="info" title={m.history_shared_gone()}>
    {m.history_shared_gone_text()}
  </Notice>
);

function Shared({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(sharedReceiptQuery(token));
  if (data?.receipt === null) {
    return (
      <Notice kind="info" title={m.history_receipt_sealing()}>
        {m.history_receipt_sealing_text()}
      </Notice>
    );
  }
  const movement = data === undefined ? undefined : movementOf(data.receipt);
  if (data !== undefined && movement !== undefined) {
    const { receipt, taken, expiresAt } = data;
    return <SharedCard receipt={receipt} taken={taken} movement={movement} expiresAt={expiresAt} />;
  }
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  if (error !== null || data !== undefined) {
    return <FailureNotice text={m.history_receipt_failed()} onTryAgain={() => void refetch()} />;
  }
  return <SkeletonRows count={SKELETON_ROW_COUNT} label={m.history_loading()} />;
}

interface SharedCardProps {
  receipt: WireReceipt;
  /** Set for a send that could be undone: the movement that debited the sender. Only this one names the sender. */
  taken: WireReceipt | undefined;
  movement: ReceiptMovement;
  /** ISO 8601. */
  expiresAt: string;
}

/** Everything shown comes from the receipts themselves, so the verification covers it. */
function SharedCard({ receipt, taken, movement, expiresAt }: SharedCardProps) {
  const seal = sealOf(receipt);
  const takenId = taken && movementOf(taken)?.id;
  const receipts = [{ receipt, expected: movement }];
  // The debit has another number, but must state the same amount.
  if (taken) receipts.push({ receipt: taken, expected: { ...movement, id: takenId ?? '' } });
  return (
    <>
      <Card>
        <DetailList
          details={[
            {
              label: m.history_receipt_number(),
              value: receiptNumber(parseInt(movement.id, 10)),
            },
            {
              label: m.history_receipt_amount(),
              value: `${formatAthExact(tokenUnits(BigInt(movement.amountUnits)))} ${movement.asset}`,
            },
            { label: m.history_date(), value: detailDate(new Date(movement.atMs).toISOString()) },
            ...sideDetails(m.history_from(), 'payer', (taken ?? receipt).parts),
            ...sideDetails(m.history_to(), 'payee', receipt.parts),
            {
              label: m.history_receipt_seal(),
              value: m.history_receipt_seal_of(seal),
            },
            { label: m.history_shared_until(), value: detailDate(expiresAt) },
          ]}
        />
      </Card>
      <ReceiptCheck receipts={receipts} />
    </>
  );
}

function sideDetails(
  label: string,
  name: 'payer' | 'payee',
  parts: readonly ReceiptPart[],
): Detail[] {
  const part = parts.find((candidate) => candidate.name === name);
  return part !== undefined && 'text' in part ? [{ label, value: part.text, isLong: true }] : [];
}
