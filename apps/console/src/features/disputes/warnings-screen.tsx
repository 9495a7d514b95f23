/** Payments that a bank suspects of fraud. A full refund may prevent a later dispute. */
import { m } from '@athos/messages/messages';
import { useSearchParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import type { Column } from '../../kit/table.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { warningTitle } from './dispute-words.ts';

type Warning = RowOf<'consoleWarnings'>;

const VIEWS = [
  { view: 'open', title: m.disputes_warnings_view_open, empty: m.disputes_warnings_empty_open },
  { view: 'all', title: m.disputes_warnings_view_all, empty: m.disputes_warnings_empty_all },
] as const;

function WarningState({ warning }: { warning: Warning }) {
  const { isActionable, isDisputed, tokenAmount, returnedTokenAmount } = warning;
  if (isDisputed) return <Badge tone="danger">{m.disputes_warnings_state_disputed()}</Badge>;
  if (returnedTokenAmount === tokenAmount) {
    return <Badge tone="success">{m.disputes_warnings_state_refunded()}</Badge>;
  }
  return isActionable ? (
    <Badge tone="info">{m.disputes_warnings_state_open()}</Badge>
  ) : (
    <Badge>{m.disputes_warnings_state_over()}</Badge>
  );
}

const columns = (): readonly Column<Warning>[] => [
  {
    id: 'type',
    title: m.disputes_warnings_type(),
    cell: ({ fraudType }) => warningTitle(fraudType),
  },
  {
    id: 'state',
    title: m.console_state(),
    cell: (warning) => <WarningState warning={warning} />,
    from: 'medium',
  },
  {
    id: 'customer',
    title: m.disputes_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'large',
  },
  {
    id: 'at',
    title: m.disputes_warnings_at(),
    cell: ({ createdAt }) => <Time at={createdAt} precision="day" />,
    align: 'end',
  },
  {
    id: 'amount',
    title: m.disputes_warnings_amount(),
    cell: ({ totalUsdCents }) => <Money units={totalUsdCents} asset="USD" />,
    align: 'end',
  },
];

export function WarningsScreen() {
  const [params] = useSearchParams();
  const current = VIEWS.find(({ view }) => view === params.get('view')) ?? VIEWS[0];
  const view = useListView([]);
  const list = useAdminList('consoleWarnings', { view: current.view });
  return (
    <ListPage
      title={m.disputes_warnings_title()}
      list={list}
      view={view}
      filters={[]}
      columns={columns()}
      keyOf={({ id }) => id}
      pathOf={({ paymentId }) => paths.payment(paymentId)}
      path={paths.warnings}
      emptyText={current.empty()}
      lead={
        <Tabs
          label={m.disputes_warnings_title()}
          tabs={VIEWS.map(({ view: name, title }) => ({
            label: title(),
            to: name === 'open' ? paths.warnings : `${paths.warnings}?view=${name}`,
            isCurrent: name === current.view,
          }))}
        />
      }
    />
  );
}
