/** The programme's accounts by asset, and the debts of customers. */
import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { inWords } from '../../kit/in-words.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { Table, type Column } from '../../kit/table.tsx';
import { paths } from '../../routes/paths.ts';
import { hasFloor, type Account } from './accounts.ts';

export const Floor = ({ account }: { account: Account }) =>
  hasFloor(account) ? <Money units={account.floor} asset={account.asset} /> : m.ledger_floor_none();

const columns = (): readonly Column<Account>[] => [
  {
    id: 'account',
    title: m.ledger_account(),
    cell: ({ code, id }) => (code === null ? id : inWords(code)),
  },
  {
    id: 'floor',
    title: m.ledger_floor(),
    cell: (account) => (
      <span className="text-ink-quiet">
        <Floor account={account} />
      </span>
    ),
    align: 'end',
    from: 'medium',
  },
  {
    id: 'balance',
    title: m.ledger_balance(),
    cell: ({ balance, asset }) => <Money units={balance} asset={asset} />,
    align: 'end',
  },
];

export function LedgerAccountsScreen() {
  const { item, failure, reload } = useAdminItem('ledgerAccounts', {});
  const byAsset = [...Map.groupBy(item?.items ?? [], ({ asset }) => asset)];
  return (
    <Page title={m.ledger_accounts_title()} count={item && String(item.items.length)}>
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item === undefined && failure === undefined && <Accounts asset="" accounts={undefined} />}
      {byAsset.map(([asset, accounts]) => (
        <Section key={asset} title={asset}>
          <Accounts asset={asset} accounts={accounts} />
        </Section>
      ))}
      {item !== undefined && (
        <Section title={m.ledger_debts_title()}>
          <Debts debts={item.debts} />
        </Section>
      )}
    </Page>
  );
}

const Accounts = (props: { asset: string; accounts: readonly Account[] | undefined }) => (
  <Table
    label={m.ledger_accounts_of({ asset: props.asset })}
    columns={columns()}
    rows={props.accounts}
    keyOf={({ id }) => id}
    pathOf={({ id }) => paths.ledgerAccount(id)}
  />
);

function Debts({ debts }: { debts: AdminAnswer<'ledgerAccounts'>['debts'] }) {
  const owed = debts.filter(({ count }) => count > 0);
  if (owed.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.ledger_debts_none()}</p>;
  }
  return (
    <ul className="text-dense flex flex-col gap-1">
      {owed.map(({ asset, count, balance }) => (
        <li key={asset} className="flex items-baseline justify-between gap-4 px-3">
          <span>{m.ledger_debts({ count })}</span>
          <Money units={balance} asset={asset} isDebtRed />
        </li>
      ))}
    </ul>
  );
}
