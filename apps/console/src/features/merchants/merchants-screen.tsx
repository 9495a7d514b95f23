/** Merchants by name, with the balance that each is owed. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import type { Column } from '../../kit/table.tsx';
import { paths } from '../../routes/paths.ts';

const MerchantTextDialog = lazy(async () => ({
  default: (await import('./merchant-dialogs.tsx')).MerchantTextDialog,
}));

type Merchant = RowOf<'merchants'>;

const FILTERS = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.merchants_state(),
    kind: 'choice',
    options: [
      { value: 'open', label: m.merchants_open() },
      { value: 'archived', label: m.merchants_archived() },
    ],
  },
];

const COLUMNS = (): readonly Column<Merchant>[] => [
  {
    id: 'name',
    title: m.merchants_name(),
    cell: ({ name, archivedAt }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
        {name}
        {archivedAt !== null && <Badge>{m.merchants_archived()}</Badge>}
      </span>
    ),
  },
  {
    id: 'offers',
    title: m.catalogue_offers(),
    cell: ({ offerCount }) => <span className="tabular">{offerCount}</span>,
    align: 'end',
  },
];

/** For people who may read money. */
const BALANCE = (): Column<Merchant> => ({
  id: 'balance',
  title: m.merchants_balance(),
  cell: ({ balance }) => <Money units={balance ?? '0'} asset="ATH" isDebtRed />,
  align: 'end',
});

export function MerchantsScreen() {
  const navigate = useNavigate();
  const lack = useLack();
  const hasMoney = useHolds()('reports.money');
  const [isAdding, setIsAdding] = useState(false);
  const filters = FILTERS();
  const view = useListView(filters);
  const list = useAdminList('merchants', view.query);
  return (
    <>
      <ListPage
        title={m.merchants_title()}
        list={list}
        view={view}
        filters={filters}
        columns={hasMoney ? [...COLUMNS(), BALANCE()] : COLUMNS()}
        keyOf={({ id }) => String(id)}
        pathOf={({ id }) => paths.merchant(id)}
        path={paths.merchants}
        emptyText={m.merchants_empty()}
        actions={
          <Button
            isDense
            icon={<Plus size={16} aria-hidden />}
            disabledReason={lack('catalogue.edit')}
            onClick={() => setIsAdding(true)}
          >
            {m.merchants_add()}
          </Button>
        }
      />
      {isAdding && (
        <Suspense fallback={null}>
          <MerchantTextDialog
            merchant={undefined}
            onClose={(added) => {
              setIsAdding(false);
              if (added !== undefined) void navigate(paths.merchant(added));
            }}
          />
        </Suspense>
      )}
    </>
  );
}
