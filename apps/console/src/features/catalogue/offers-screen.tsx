/** Offers with their states, and the link to add one. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import FileUp from 'lucide-react/icons/file-up';
import Plus from 'lucide-react/icons/plus';
import { useNavigate } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { ListSearch, searchFilter } from '../../kit/list-search.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import type { Column } from '../../kit/table.tsx';
import { paths } from '../../routes/paths.ts';
import {
  categoryPath,
  KIND_TITLES,
  optionsOf,
  STATE_TITLES,
  STATE_TONES,
  TIP_KIND,
  type Choices,
} from './catalogue-words.ts';

type Offer = RowOf<'consoleOffers'>;

const filters = (choices: Choices | undefined): readonly Filter[] => [
  { id: 'state', label: m.console_state(), kind: 'choice', options: optionsOf(STATE_TITLES) },
  {
    id: 'categoryId',
    label: m.catalogue_category(),
    kind: 'choice',
    options: (choices?.categories ?? []).map((category) => ({
      value: String(category.id),
      label: categoryPath(category),
    })),
  },
  {
    id: 'merchantId',
    label: m.merchants_one(),
    kind: 'choice',
    options: (choices?.merchants ?? []).map(({ id, name }) => ({
      value: String(id),
      label: name,
    })),
  },
  {
    id: 'draft',
    label: m.catalogue_drafts(),
    kind: 'choice',
    options: [{ value: 'open', label: m.catalogue_drafts_open() }],
  },
  {
    id: 'stock',
    label: m.catalogue_stock(),
    kind: 'choice',
    options: [{ value: 'low', label: m.catalogue_stock_low() }],
  },
];

const columns = (): readonly Column<Offer>[] => [
  {
    id: 'title',
    title: m.catalogue_title(),
    cell: ({ title }) => <span className="wrap-anywhere">{title}</span>,
    sort: { ascending: 'title' },
  },
  {
    id: 'state',
    title: m.console_state(),
    cell: ({ state, hasDraft }) => (
      <span className="flex flex-wrap gap-1">
        <Badge tone={STATE_TONES[state]}>{STATE_TITLES[state]()}</Badge>
        {hasDraft && state !== 'draft' && <Badge tone="info">{m.catalogue_has_draft()}</Badge>}
      </span>
    ),
  },
  {
    id: 'category',
    title: m.catalogue_category(),
    cell: ({ category }) => category.title,
    from: 'medium',
  },
  {
    id: 'kind',
    title: m.catalogue_kind(),
    cell: ({ kind }) => KIND_TITLES[kind]?.(),
    from: 'large',
  },
  {
    id: 'stock',
    title: m.catalogue_stock(),
    cell: ({ stockLeft, isStockLow }) => (
      <span className="tabular">
        {stockLeft ?? '∞'} {isStockLow && <Badge tone="danger">{m.catalogue_stock_low()}</Badge>}
      </span>
    ),
    align: 'end',
    from: 'medium',
  },
  {
    id: 'price',
    title: m.catalogue_price(),
    cell: ({ kind, priceNow }) => (kind === TIP_KIND ? '' : <Money units={priceNow} asset="ATH" />),
    align: 'end',
  },
];

export function OffersScreen() {
  const { item: choices } = useAdminItem('offerChoices', {});
  const view = useListView([searchFilter(m.catalogue_search()), ...filters(choices)], 'newest');
  const list = useAdminList('consoleOffers', view.query);
  const navigate = useNavigate();
  const lack = useLack();
  return (
    <ListPage
      title={m.catalogue_offers()}
      list={list}
      view={view}
      filters={filters(choices)}
      columns={columns()}
      keyOf={({ id }) => String(id)}
      pathOf={({ id }) => paths.offer(id)}
      path={paths.offers}
      emptyText={m.catalogue_offer_empty()}
      lead={
        <ListSearch view={view} label={m.catalogue_search()} hint={m.catalogue_search_hint()} />
      }
      actions={
        <>
          <ExportButton name="offers" filters={view.query} count={list.count} />
          <Button
            variant="quiet"
            isDense
            icon={<FileUp size={16} aria-hidden />}
            disabledReason={lack('catalogue.edit')}
            onClick={() => void navigate(paths.importOffers)}
          >
            {m.imports_open()}
          </Button>
          <Button
            isDense
            icon={<Plus size={16} aria-hidden />}
            disabledReason={lack('catalogue.edit')}
            onClick={() => void navigate(paths.newOffer)}
          >
            {m.catalogue_offer_new()}
          </Button>
        </>
      }
    />
  );
}
