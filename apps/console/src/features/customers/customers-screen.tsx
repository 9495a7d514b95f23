/** Customers, newest first, or those that a search finds. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useRef, useState } from 'react';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { useKey } from '../../kit/keys.ts';
import { useLack } from '../../kit/permission.ts';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter, type ListView } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { CustomerBadges } from './customer-badges.tsx';

const MailVerificationDialog = lazy(async () => ({
  default: (await import('./mail-dialogs.tsx')).MailVerificationDialog,
}));

type Customer = RowOf<'customers'>;

const search = (): Filter => ({ id: 'q', label: m.customers_search(), kind: 'text' });

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

export function CustomersScreen() {
  const view = useListView([search(), ...filters()], 'newest');
  const list = useAdminList('customers', view.query);
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
          <SignUpActions />
          <ExportButton
            name="customers"
            filters={view.query}
            count={list.count}
            disabledReason={view.values['q'] === undefined ? undefined : m.exports_not_search()}
          />
        </>
      }
      lead={<Search key={view.values['q'] ?? ''} view={view} />}
    />
  );
}

/** What can be done for somebody who is no customer yet. */
function SignUpActions() {
  const lack = useLack();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <ActionMenu
        actions={[
          {
            label: m.customers_mail_verification(),
            disabledReason: lack('customers.mail'),
            onPress: () => setIsOpen(true),
          },
        ]}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <MailVerificationDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Remounted when the address changes, so that it always shows what was searched for. */
function Search({ view }: { view: ListView }) {
  const [text, setText] = useState(view.values['q'] ?? '');
  const input = useRef<HTMLInputElement>(null);
  useKey('/', m.customers_search_key(), () => input.current?.focus());
  return (
    <search className="max-w-column w-full">
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          view.setValue('q', text.trim());
        }}
      >
        <DenseField
          ref={input}
          type="search"
          label={m.customers_search()}
          isLabelHidden
          placeholder={m.customers_search_hint()}
          enterKeyHint="search"
          value={text}
          onValueChange={setText}
        />
        <Button type="submit" variant="quiet" isDense>
          {m.customers_search_submit()}
        </Button>
      </form>
    </search>
  );
}
