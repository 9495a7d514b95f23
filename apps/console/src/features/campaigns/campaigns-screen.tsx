/** Reward campaigns, newest first. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Plus from 'lucide-react/icons/plus';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { figures } from '../../kit/figures.ts';
import { ListPage } from '../../kit/list-page.tsx';
import { LoadingPage } from '../../kit/page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { Money } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { CAMPAIGN_STATES, STATES } from './campaign-words.ts';

const CampaignForm = lazy(async () => ({
  default: (await import('./campaign-form.tsx')).CampaignForm,
}));

type Row = RowOf<'campaigns'>;

const filters = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.campaigns_state(),
    kind: 'choice',
    options: CAMPAIGN_STATES.map((value) => ({ value, label: STATES[value].title() })),
  },
];

const columns = (): readonly Column<Row>[] => [
  {
    id: 'title',
    title: m.campaigns_name(),
    cell: ({ title }) => <span className="wrap-anywhere">{title}</span>,
  },
  {
    id: 'state',
    title: m.campaigns_state(),
    cell: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>,
  },
  {
    id: 'claims',
    title: m.campaigns_claims(),
    cell: ({ claimCount }) => <span className="tabular">{figures(claimCount)}</span>,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'given',
    title: m.campaigns_given(),
    cell: ({ given }) => <Money units={given} asset="ATH" />,
    align: 'end',
    from: 'medium',
  },
  {
    id: 'budget',
    title: m.campaigns_budget(),
    cell: ({ budget }) => <Money units={budget} asset="ATH" />,
    align: 'end',
  },
  {
    id: 'ends',
    title: m.campaigns_window_to(),
    cell: ({ endsAt }) => <Time at={endsAt} />,
    align: 'end',
    from: 'large',
  },
];

export function CampaignsScreen() {
  const shown = filters();
  const view = useListView(shown);
  const list = useAdminList('campaigns', view.query);
  const lack = useLack();
  const navigate = useNavigate();
  const [isNew, setIsNew] = useState(false);
  if (isNew) {
    return (
      <Suspense fallback={<LoadingPage title={m.campaigns_new()} />}>
        <CampaignForm
          campaign={undefined}
          onDone={(id) => (id === undefined ? setIsNew(false) : void navigate(paths.campaign(id)))}
        />
      </Suspense>
    );
  }
  return (
    <ListPage
      title={m.campaigns_title()}
      list={list}
      view={view}
      filters={shown}
      columns={columns()}
      keyOf={(row) => String(row.id)}
      pathOf={(row) => paths.campaign(row.id)}
      path={paths.campaigns}
      emptyText={m.campaigns_empty()}
      actions={
        <Button
          isDense
          icon={<Plus size={16} aria-hidden />}
          disabledReason={lack('campaigns.edit')}
          onClick={() => setIsNew(true)}
        >
          {m.campaigns_new()}
        </Button>
      }
    />
  );
}
