/** The dialogs to match, book and explain money that was not matched automatically. */
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { inWords } from '../../kit/in-words.ts';
import { moneyText } from '../../kit/money.tsx';
import type { MoneyAct } from './match-actions.tsx';
import { typeTitle, WHAT_TITLES, type Booking, type Transaction } from './money-words.ts';

interface DialogProps {
  act: MoneyAct;
  onClose: () => void;
}

export function TransactionDialog(props: DialogProps & { transaction: Transaction }) {
  const { act, transaction, onClose } = props;
  switch (act) {
    case 'match':
      return (
        <MatchDialog
          label={m.reconciliation_match_with_booking()}
          options={transaction.candidates.map(({ id, what, bookedAt }) => ({
            value: id,
            label: `${WHAT_TITLES[what]()} ${shortId(id)}, ${bookedAt.slice(0, 10)}`,
            fee: transaction.feeUsdCents,
          }))}
          amount={transaction.amountUsdCents}
          bodyOf={(bookingId) => ({ transactionId: transaction.id, bookingId })}
          onClose={onClose}
        />
      );
    case 'book':
      return <BookDialog transaction={transaction} onClose={onClose} />;
    case 'explain':
      return <ExplainDialog of={{ transactionId: transaction.id }} onClose={onClose} />;
  }
}

export function BookingDialog({ act, booking, onClose }: DialogProps & { booking: Booking }) {
  if (act !== 'match') return <ExplainDialog of={{ bookingId: booking.id }} onClose={onClose} />;
  return (
    <MatchDialog
      label={m.reconciliation_match_with_transaction()}
      options={booking.candidates.map(({ id, type, createdAt, feeUsdCents }) => ({
        value: id,
        label: `${typeTitle(type)} ${shortId(id)}, ${createdAt.slice(0, 10)}`,
        fee: feeUsdCents,
      }))}
      amount={booking.amountUsdCents}
      bodyOf={(transactionId) => ({ transactionId, bookingId: booking.id })}
      onClose={onClose}
    />
  );
}

interface MatchDialogProps {
  label: string;
  /** The entries with the same amount on the other side. */
  options: readonly { readonly value: string; readonly label: string; readonly fee: string }[];
  amount: string;
  bodyOf: (partnerId: string) => { readonly transactionId: string; readonly bookingId: string };
  onClose: () => void;
}

function MatchDialog({ label, options, amount, bodyOf, onClose }: MatchDialogProps) {
  const { run, isPending } = useAdminAction('matchMoney');
  const [partnerId, setPartnerId] = useState(options[0]?.value ?? '');
  const fee = options.find(({ value }) => value === partnerId)?.fee ?? '0';
  return (
    <ActionDialog
      title={m.reconciliation_match_title()}
      effect={m.reconciliation_match_effect({
        amount: moneyText(amount, 'USD'),
        fee: moneyText(fee, 'USD'),
      })}
      actLabel={m.reconciliation_match()}
      doneText={m.reconciliation_match_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ body: bodyOf(partnerId) })}
      onClose={onClose}
    >
      <DenseSelect label={label} value={partnerId} onValueChange={setPartnerId} options={options} />
    </ActionDialog>
  );
}

type Account = ConsoleBodyOf<'bookMoney'>['account'];

/** The accounts to which the provider's money without a booking usually belongs. The journal uses the same names. */
const ACCOUNTS = [
  'suspense',
  'provider_fees',
  'dispute_fees',
  'bank',
  'refund_cost',
] as const satisfies readonly Account[];

function BookDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const { run, isPending } = useAdminAction('bookMoney');
  const [account, setAccount] = useState<(typeof ACCOUNTS)[number]>(ACCOUNTS[0]);
  const { amountUsdCents, feeUsdCents } = transaction;
  const hasLeft = amountUsdCents.startsWith('-');
  const amount = moneyText(hasLeft ? amountUsdCents.slice(1) : amountUsdCents, 'USD');
  const [from, to] = hasLeft ? [account, 'card_provider'] : ['card_provider', account];
  const words = { amount, from: inWords(from), to: inWords(to) };
  return (
    <ActionDialog
      title={m.reconciliation_book_title()}
      effect={
        feeUsdCents === '0'
          ? m.reconciliation_book_effect_free(words)
          : m.reconciliation_book_effect({ ...words, fee: moneyText(feeUsdCents, 'USD') })
      }
      actLabel={m.reconciliation_book_act({ amount })}
      doneText={m.reconciliation_book_done()}
      isPending={isPending}
      run={(reason) => run({ body: { transactionId: transaction.id, account, reason } })}
      onClose={onClose}
    >
      <DenseSelect
        label={m.reconciliation_book_account()}
        value={account}
        onValueChange={(name) => setAccount(ACCOUNTS.find((one) => one === name) ?? ACCOUNTS[0])}
        options={ACCOUNTS.map((name) => ({ value: name, label: inWords(name) }))}
      />
    </ActionDialog>
  );
}

interface ExplainDialogProps {
  of: { readonly transactionId: string } | { readonly bookingId: string };
  onClose: () => void;
}

function ExplainDialog({ of, onClose }: ExplainDialogProps) {
  const { run, isPending } = useAdminAction('explainMoney');
  return (
    <ActionDialog
      title={m.reconciliation_explain_title()}
      effect={m.reconciliation_explain_effect()}
      actLabel={m.reconciliation_explain()}
      doneText={m.reconciliation_explain_done()}
      isPending={isPending}
      run={(explanation) => run({ body: { ...of, explanation } })}
      onClose={onClose}
    />
  );
}
