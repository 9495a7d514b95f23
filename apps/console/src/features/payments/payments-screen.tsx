/** Card payments, newest first, and those that wait for a person, oldest first. */
import { m } from '@athos/messages/messages';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { cardText } from '../../kit/card-words.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { ListSearch, searchFilter } from '../../kit/list-search.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { PaymentBadges } from './payment-badges.tsx';
import { PAYMENT_STATE, stateOptions } from './payment-words.ts';

type Payment = RowOf<'consolePayments'>;

const byState = (): Filter => ({
  id: 'state',
  label: m.console_state(),
  kind: 'choice',
  options: stateOptions(PAYMENT_STATE),
});

const filters = (): readonly Filter[] => [
  { id: 'customerUuid', label: m.payments_customer(), kind: 'text', hint: m.payments_uuid_hint() },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (isQueue: boolean): readonly Column<Payment>[] => [
  {
    id: 'total',
    title: m.payments_total(),
    cell: ({ totalUsdCents }) => <Money units={totalUsdCents} asset="USD" />,
  },
  isQueue
    ? {
        id: 'reason',
        title: m.payments_review_reason(),
        cell: ({ reviewReason }) => <span className="wrap-anywhere">{reviewReason}</span>,
      }
    : {
        id: 'state',
        title: m.console_state(),
        cell: (payment) => <PaymentBadges payment={payment} />,
      },
  {
    id: 'tokens',
    title: m.payments_tokens(),
    cell: ({ tokenAmount }) => <Money units={tokenAmount} asset="ATH" />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'card',
    title: m.payments_card(),
    cell: ({ card }) => card !== null && cardText(card),
    from: 'large',
  },
  {
    id: 'customer',
    title: m.payments_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'createdAt',
    title: m.payments_created(),
    cell: ({ createdAt }) => <Time at={createdAt} />,
    align: 'end',
    sort: { descending: 'newest', ascending: 'oldest' },
  },
];

const POLL_MS = 30_000;

/** `isQueue`: lists only payments in review. The column for the state is replaced by one for the reason. */
export function PaymentsScreen({ isQueue = false }: { isQueue?: boolean }) {
  const shown = isQueue ? filters() : [byState(), ...filters()];
  const view = useListView(
    [searchFilter(m.payments_search()), ...shown],
    isQueue ? 'oldest' : 'newest',
  );
  const query = isQueue ? { ...view.query, state: 'review' } : view.query;
  const list = useAdminList('consolePayments', query, {}, { pollMs: POLL_MS });
  return (
    <ListPage
      title={m.payments_title()}
      list={list}
      view={view}
      filters={shown}
      columns={columns(isQueue)}
      keyOf={({ id }) => id}
      pathOf={({ id }) => paths.payment(id)}
      path={isQueue ? paths.reviews : paths.payments}
      emptyText={isQueue ? m.payments_empty_review() : m.payments_empty()}
      actions={<ExportButton name="payments" filters={query} count={list.count} />}
      lead={
        <>
          <Tabs
            label={m.payments_title()}
            tabs={[
              { label: m.payments_view_all(), to: paths.payments, isCurrent: !isQueue },
              { label: m.payments_view_review(), to: paths.reviews, isCurrent: isQueue },
            ]}
          />
          <ListSearch view={view} label={m.payments_search()} hint={m.payments_search_hint()} />
        </>
      }
    />
  );
}
