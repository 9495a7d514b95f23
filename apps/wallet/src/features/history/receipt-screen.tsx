import { ApiError } from '@athos/client/errors';
import type { CheckedStep, ReceiptStep, ReceiptVerdict } from '@athos/domain/check-receipt';
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
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import Download from 'lucide-react/icons/download';
import SearchX from 'lucide-react/icons/search-x';
import { useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'react-router';
import { useHistoryItem, type Movement } from '../../api/history.ts';
import { checkHere, receiptQuery, sealOf, type WireReceipt } from '../../api/receipts.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { detailDate } from './history-date.ts';
import { idOfAddress } from './movement-id.ts';
import { signedAmount, symbolOf, typeLabel } from './movement.ts';

const SKELETON_ROW_COUNT = 4;

/** The receipt of a movement, and its check in this browser. */
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
            { label: m.history_date(), value: detailDate(movement.at) },
            {
              label: m.history_receipt_seal(),
              value: m.history_receipt_seal_of({ number: seal.number, count: seal.count }),
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
      <Check receipt={receipt} movement={movement} />
      <Button
        variant="quiet"
        isWide
        icon={<Download size={18} aria-hidden />}
        onClick={() =>
          saveText(`${JSON.stringify(receipt, null, 2)}\n`, {
            name: `${number}.json`,
            type: 'application/json',
          })
        }
      >
        {m.history_receipt_save()}
      </Button>
      <p className="text-caption text-ink-quiet text-pretty">{m.history_receipt_note()}</p>
    </>
  );
}

type Checked =
  | { readonly state: 'idle' | 'checking' | 'failed' }
  | { readonly state: 'checked'; readonly steps: readonly CheckedStep[] };

function Check({ receipt, movement }: ReceiptCardProps) {
  const offlineReason = useOfflineReason();
  const [checked, setChecked] = useState<Checked>({ state: 'idle' });

  async function handleCheck(): Promise<void> {
    setChecked({ state: 'checking' });
    try {
      setChecked({ state: 'checked', steps: await checkHere(receipt, movement) });
    } catch {
      setChecked({ state: 'failed' });
    }
  }

  return (
    <>
      <Button
        isWide
        isPending={checked.state === 'checking'}
        disabledReason={offlineReason}
        onClick={() => void handleCheck()}
      >
        {m.history_receipt_check()}
      </Button>
      {checked.state === 'failed' && (
        <FailureNotice
          text={m.history_receipt_check_failed()}
          onTryAgain={() => void handleCheck()}
        />
      )}
      {checked.state === 'checked' && <Verdict steps={checked.steps} />}
    </>
  );
}

const STEPS: Readonly<Record<ReceiptStep, () => string>> = {
  parts: m.history_receipt_step_parts,
  seal: m.history_receipt_step_seal,
  seal_signature: m.history_receipt_step_seal_signature,
  path: m.history_receipt_step_path,
  day: m.history_receipt_step_day,
  day_signature: m.history_receipt_step_day_signature,
  place_in_day: m.history_receipt_step_day_path,
  published: m.history_receipt_step_published,
};

const MARKS: Readonly<Record<ReceiptVerdict, { mark: ReactNode; word: () => string }>> = {
  right: {
    mark: <CircleCheck size={20} className="text-success" aria-hidden />,
    word: m.history_receipt_right,
  },
  wrong: {
    mark: <CircleAlert size={20} className="text-danger" aria-hidden />,
    word: m.history_receipt_wrong,
  },
  later: {
    mark: <Clock size={20} className="text-ink-quiet" aria-hidden />,
    word: m.history_receipt_later,
  },
  unable: {
    mark: <Clock size={20} className="text-ink-quiet" aria-hidden />,
    word: m.history_receipt_unable,
  },
};

function summaryOf(steps: readonly CheckedStep[]) {
  const wrong = steps.find(({ verdict }) => verdict === 'wrong');
  if (wrong !== undefined) {
    return {
      kind: 'danger',
      text: m.history_receipt_is_wrong({ step: STEPS[wrong.step]() }),
    } as const;
  }
  if (steps.some(({ verdict }) => verdict === 'unable')) {
    return { kind: 'info', text: m.history_receipt_is_unable() } as const;
  }
  return steps.some(({ verdict }) => verdict === 'later')
    ? ({ kind: 'success', text: m.history_receipt_is_sealed() } as const)
    : ({ kind: 'success', text: m.history_receipt_is_right() } as const);
}

function Verdict({ steps }: { steps: readonly CheckedStep[] }) {
  const { kind, text } = summaryOf(steps);
  return (
    <>
      <Notice kind={kind}>{text}</Notice>
      <ol aria-label={m.history_receipt_steps()} className="flex flex-col gap-3">
        {steps.map(({ step, verdict }) => (
          <li key={step} className="text-body flex items-start gap-3">
            <span className="mt-0.5 shrink-0">{MARKS[verdict].mark}</span>
            <span className="min-w-0 grow text-pretty">{STEPS[step]()}</span>
            <span className="text-caption text-ink-quiet shrink-0">{MARKS[verdict].word()}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
