import { m } from '@athos/messages/messages';
import ArrowDown from 'lucide-react/icons/arrow-down';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { accountTitle, KIND_TITLES } from '../../kit/ledger-words.ts';

type Transfer = AdminAnswer<'ledgerTransfer'>;

/** One movement: its two accounts with their balances after it, and its cause. */
export function TransferDetail({ id }: { id: string }) {
  const read = useAdminItem('ledgerTransfer', { params: { id } });
  return (
    <DetailOf read={read} kind={m.ledger_transfer()} backTo={paths.ledgerTransfers}>
      {(transfer) => (
        <Detail
          kind={m.ledger_transfer()}
          title={<Money units={transfer.amount} asset={transfer.debit.asset} />}
          plainTitle={`${m.ledger_transfer()} ${transfer.id}`}
          backTo={paths.ledgerTransfers}
        >
          <Flow transfer={transfer} />
          <TransferFacts transfer={transfer} />
        </Detail>
      )}
    </DetailOf>
  );
}

function Flow({ transfer }: { transfer: Transfer }) {
  const { debit, credit, amount, debitAfter, creditAfter } = transfer;
  return (
    <div className="flex flex-col">
      <Side
        label={m.ledger_debit()}
        account={debit}
        movement={`-${amount}`}
        balanceAfter={debitAfter}
      />
      <span aria-hidden="true" className="text-ink-quiet z-10 -my-2 self-center">
        <ArrowDown size={18} className="rounded-pill bg-ground inset-ring-line p-0.5 inset-ring" />
      </span>
      <Side
        label={m.ledger_credit()}
        account={credit}
        movement={amount}
        balanceAfter={creditAfter}
      />
    </div>
  );
}

interface SideProps {
  label: string;
  account: Transfer['debit'];
  movement: string;
  balanceAfter: string;
}

function Side({ label, account, movement, balanceAfter }: SideProps) {
  const { id, asset } = account;
  return (
    <section
      aria-label={label}
      className="rounded-small bg-surface inset-ring-line text-dense grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-4 py-3 inset-ring"
    >
      <span className="text-caption text-ink-quiet font-semibold">{label}</span>
      <span className="text-caption text-ink-quiet text-right">{m.ledger_after()}</span>
      <ObjectLink to={paths.ledgerAccount(id)}>{accountTitle(account)}</ObjectLink>
      <span className="text-right font-semibold">
        <Money units={balanceAfter} asset={asset} />
      </span>
      <span className="text-ink-quiet col-span-2 text-right">
        <Money units={movement} asset={asset} isMovement />
      </span>
    </section>
  );
}

function TransferFacts({ transfer }: { transfer: Transfer }) {
  const { id, at, kind, key, line, object } = transfer;
  return (
    <Facts
      facts={[
        { label: m.ledger_kind(), value: KIND_TITLES[kind]() },
        { label: m.console_time(), value: <Time at={at} precision="second" /> },
        {
          label: m.ledger_object(),
          value: object !== null && <SubjectLink type={object.type} id={object.id} />,
          isHidden: object === null,
        },
        { label: m.ledger_transfer(), value: <CopyId id={id} /> },
        { label: m.console_ledger_key(), value: <CopyId id={key} /> },
        {
          label: m.ledger_line(),
          value: (
            <span className="flex flex-wrap items-center gap-x-4">
              {line}
              <ObjectLink to={`${paths.ledgerTransfers}?key=${key}`}>
                {m.ledger_same_key()}
              </ObjectLink>
            </span>
          ),
        },
      ]}
    />
  );
}
