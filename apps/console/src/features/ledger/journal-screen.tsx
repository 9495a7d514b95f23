/** The journal explorer: every movement of value, newest first, with the opened one beside the list. */
import { isUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { DenseField } from '../../kit/dense-field.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter, type ListView } from '../../kit/list-view.ts';
import { LookedUntil } from '../../kit/looked-until.tsx';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { accountTitle, KIND_TITLES } from '../../kit/ledger-words.ts';
import { movementFilters } from './movement-filters.ts';
import { TransferDetail } from './transfer-detail.tsx';

type Transfer = RowOf<'ledgerTransfers'>;

const filters = (): readonly Filter[] => [
  { id: 'key', label: m.console_ledger_key(), kind: 'text' },
  {
    id: 'accountId',
    label: m.ledger_account_id(),
    kind: 'text',
    hint: m.ledger_account_id_hint(),
  },
  ...movementFilters('ATH'),
];

const columns = (): readonly Column<Transfer>[] => [
  { id: 'kind', title: m.ledger_kind(), cell: ({ kind }) => KIND_TITLES[kind]() },
  {
    id: 'flow',
    title: m.ledger_flow(),
    cell: ({ debit, credit }) => (
      <>
        {accountTitle(debit)} <span className="sr-only">{m.ledger_to()}</span>
        <span aria-hidden="true" className="text-ink-quiet">
          →
        </span>{' '}
        {accountTitle(credit)}
      </>
    ),
    from: 'medium',
  },
  {
    id: 'amount',
    title: m.ledger_amount(),
    cell: ({ amount, debit }) => <Money units={amount} asset={debit.asset} />,
    align: 'end',
  },
  { id: 'at', title: m.console_time(), cell: ({ at }) => <Time at={at} />, align: 'end' },
];

export function JournalScreen() {
  const { id } = useParams();
  const view = useListView(filters());
  const list = useAdminList('ledgerTransfers', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.ledger_journal_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(transfer) => transfer.id}
          pathOf={(transfer) => paths.ledgerTransfer(transfer.id)}
          openKey={id}
          path={paths.ledgerTransfers}
          emptyText={m.ledger_journal_empty()}
          actions={<ExportButton name="transfers" filters={view.query} count={list.count} />}
          lead={<Jump view={view} />}
          endNote={<LookedUntil at={list.lastPage?.lookedUntil} />}
        />
      }
      detail={id === undefined ? undefined : <TransferDetail key={id} id={id} />}
    />
  );
}

/** Opens a transfer by its number, or lists everything posted under a key. */
function Jump({ view }: { view: ListView }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  function handleSubmit(): void {
    const typed = text.trim();
    const isNumber = /^[1-9]\d{0,17}$/.test(typed);
    setError(isNumber || isUuid(typed) ? undefined : m.ledger_jump_neither());
    if (isNumber) void navigate(paths.ledgerTransfer(typed));
    else if (isUuid(typed)) view.setValue('key', typed.toLowerCase());
  }

  return (
    <search className="max-w-form w-full">
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          handleSubmit();
        }}
      >
        <DenseField
          label={m.ledger_jump()}
          isLabelHidden
          placeholder={m.ledger_jump_hint()}
          value={text}
          onValueChange={setText}
          error={error}
        />
        <Button type="submit" variant="quiet" isDense>
          {m.ledger_jump_open()}
        </Button>
      </form>
    </search>
  );
}
