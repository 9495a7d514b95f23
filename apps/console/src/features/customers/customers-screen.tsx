/** Customers, newest first, or those that a search finds. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { buttonClass } from '@athos/ui/primitives/button-class';
import { Link } from '@athos/ui/primitives/link';
import { lazy, Suspense, useState } from 'react';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { useLack } from '../../kit/permission.ts';
import { ListPage } from '../../kit/list-page.tsx';
import { ListSearch, searchFilter } from '../../kit/list-search.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { BulkActions } from './bulk-bar.tsx';
import { CustomerBadges } from './customer-badges.tsx';

const MailVerificationDialog = lazy(async () => ({
  default: (await import('./mail-dialogs.tsx')).MailVerificationDialog,
}));

type Customer = RowOf<'customers'>;

const filters = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.console_state(),
    kind: 'choice',
    options: [
      { value: 'open', label: m.customers_open() },
      { value: 'closed', label: m.customers_closed() },
    ],
  },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Customer>[] => [
  {
    id: 'email',
    title: m.common_email(),
    cell: ({ email }) => (
      <span className="wrap-anywhere">{email ?? m.customers_closed_account()}</span>
    ),
  },
  { id: 'state', title: m.console_state(), cell: (customer) => <CustomerBadges {...customer} /> },
  {
    id: 'uuid',
    title: m.console_id(),
    cell: ({ uuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(uuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'balance',
    title: m.customers_balance(),
    cell: ({ balances }) => <Money units={balances.ATH} asset="ATH" isDebtRed />,
    align: 'end',
  },
  {
    id: 'createdAt',
    title: m.customers_since(),
    cell: ({ createdAt }) => <Time at={createdAt} precision="day" />,
    align: 'end',
    sort: { descending: 'newest', ascending: 'oldest' },
    from: 'medium',
  },
];

const NOTHING: ReadonlySet<string> = new Set();

export function CustomersScreen() {
  const view = useListView([searchFilter(m.customers_search()), ...filters()], 'newest');
  const list = useAdminList('customers', view.query);
  // Only visible rows can be selected, so other filters start with an empty selection.
  const [selected, setSelected] = useState({ search: view.search, keys: NOTHING });
  const keys = selected.search === view.search ? selected.keys : NOTHING;
  const { q, sort: _sort, ...bulkFilters } = view.query;
  return (
    <ListPage
      title={m.customers_title()}
      list={list}
      view={view}
      filters={filters()}
      columns={columns()}
      keyOf={({ uuid }) => uuid}
      pathOf={({ uuid }) => paths.customer(uuid)}
      path={paths.customers}
      emptyText={m.customers_empty()}
      actions={
        <>
          <Link to={paths.bulkRuns} className={buttonClass({ variant: 'plain', isDense: true })}>
            {m.customers_bulk_runs()}
          </Link>
          {/* The results of a search are shown unfiltered. */}
          {q === undefined && (
            <ExportButton name="customers" filters={view.query} count={list.count} />
          )}
        </>
      }
      lead={
        <>
          <ListSearch view={view} label={m.customers_search()} hint={m.customers_search_hint()} />
          {q !== undefined && list.rows?.length === 0 && <UnfinishedSignUp key={q} email={q} />}
        </>
      }
      selection={{ keys, onChange: (next) => setSelected({ search: view.search, keys: next }) }}
      bulk={<BulkActions ids={keys} filters={q === undefined ? bulkFilters : undefined} />}
    />
  );
}

/** A person who has not verified their address is not a customer yet, and no search finds them. */
function UnfinishedSignUp({ email }: { email: string }) {
  const lack = useLack();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="text-dense text-ink-quiet">{m.customers_unverified()}</p>
      <Button
        variant="quiet"
        isDense
        disabledReason={lack('customers.mail')}
        onClick={() => setIsOpen(true)}
      >
        {m.customers_mail_verification()}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <MailVerificationDialog email={email} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
