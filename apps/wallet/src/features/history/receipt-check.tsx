import type { CheckedStep, ReceiptStep, ReceiptVerdict } from '@athos/domain/check-receipt';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Notice } from '@athos/ui/primitives/notice';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Clock from 'lucide-react/icons/clock';
import { useState, type ReactNode } from 'react';
import { checkHere, type CheckedReceipt, type ReceiptToCheck } from '../../api/receipts.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

type Checked =
  | { readonly state: 'idle' | 'checking' | 'failed' }
  | { readonly state: 'checked'; readonly receipt: CheckedReceipt };

/** Verifies the receipts of one movement in this browser, and shows one verdict per step for all of them. */
export function ReceiptCheck({ receipts }: { receipts: readonly ReceiptToCheck[] }) {
  const offlineReason = useOfflineReason();
  const [checked, setChecked] = useState<Checked>({ state: 'idle' });

  async function handleCheck(): Promise<void> {
    setChecked({ state: 'checking' });
    try {
      setChecked({ state: 'checked', receipt: await checkHere(receipts) });
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
      <p className="text-caption text-ink-quiet text-pretty">{m.history_receipt_gloss()}</p>
      {checked.state === 'failed' && (
        <FailureNotice
          text={m.history_receipt_check_failed()}
          onTryAgain={() => void handleCheck()}
        />
      )}
      {checked.state === 'checked' && <Verdict {...checked.receipt} />}
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

function Verdict({ steps, keptHead }: CheckedReceipt) {
  const { kind, text } = summaryOf(steps);
  return (
    <>
      <Notice kind={kind}>{text}</Notice>
      {keptHead !== undefined && (
        <p className="text-body break-all">{m.history_receipt_kept_head(keptHead)}</p>
      )}
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
