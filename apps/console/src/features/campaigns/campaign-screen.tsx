/** One campaign: its terms, its money, and its batches of codes. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Amounts } from '../../kit/amounts.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { figures } from '../../kit/figures.ts';
import { inWords } from '../../kit/in-words.ts';
import { Money } from '../../kit/money.tsx';
import { LoadingPage } from '../../kit/page.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { Batches } from './batches.tsx';
import { audienceText, STATES, type Campaign } from './campaign-words.ts';

const CampaignForm = lazy(async () => ({
  default: (await import('./campaign-form.tsx')).CampaignForm,
}));
const FundDialog = lazy(async () => ({
  default: (await import('./campaign-dialogs.tsx')).FundDialog,
}));
const EndDialog = lazy(async () => ({
  default: (await import('./campaign-dialogs.tsx')).EndDialog,
}));

export function CampaignScreen() {
  const { id = '' } = useParams();
  return <CampaignPage key={id} id={id} />;
}

type Act = 'edit' | 'fund' | 'end';

function CampaignPage({ id }: { id: string }) {
  const read = useAdminItem('campaign', { params: { id } });
  const [act, setAct] = useState<Act>();
  const close = (): void => setAct(undefined);
  return (
    <DetailOf read={read} kind={m.campaigns_one()} backTo={paths.campaigns}>
      {(campaign) =>
        act === 'edit' ? (
          <Suspense fallback={<LoadingPage title={campaign.title} />}>
            <CampaignForm campaign={campaign} onDone={close} />
          </Suspense>
        ) : (
          <Detail
            kind={m.campaigns_one()}
            title={campaign.title}
            plainTitle={campaign.title}
            state={
              <Badge tone={STATES[campaign.state].tone}>{STATES[campaign.state].title()}</Badge>
            }
            actions={<CampaignActions campaign={campaign} onAct={setAct} />}
            backTo={paths.campaigns}
          >
            <div className="@desk/shell:grid-cols-[22rem_minmax(0,1fr)] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6">
              <div className="flex min-w-0 flex-col gap-6">
                <Budget campaign={campaign} />
                <CampaignFacts campaign={campaign} />
                <AuditOf type="campaign" id={String(campaign.id)} />
              </div>
              <Batches campaign={campaign} />
            </div>
            <Suspense fallback={null}>
              {act === 'fund' && <FundDialog campaign={campaign} onClose={close} />}
              {act === 'end' && <EndDialog campaign={campaign} onClose={close} />}
            </Suspense>
          </Detail>
        )
      }
    </DetailOf>
  );
}

function CampaignActions({ campaign, onAct }: { campaign: Campaign; onAct: (act: Act) => void }) {
  const lack = useLack();
  const { state } = campaign;
  const isOver = state === 'ended' ? m.campaigns_is_over() : undefined;
  const settled = state === 'settled' ? m.campaigns_is_settled() : undefined;
  return (
    <>
      <ActionMenu
        actions={[
          {
            label: m.campaigns_edit(),
            disabledReason: lack('campaigns.edit') ?? settled,
            onPress: () => onAct('edit'),
          },
          {
            label: m.campaigns_fund(),
            disabledReason: lack('campaigns.fund') ?? settled ?? isOver,
            onPress: () => onAct('fund'),
          },
          {
            label: m.campaigns_end(),
            isDanger: true,
            disabledReason: lack('campaigns.edit') ?? settled,
            onPress: () => onAct('end'),
          },
        ]}
      />
      <NextStep campaign={campaign} />
    </>
  );
}

/** Starts the campaign, or pauses it at once: a pause must not wait for a dialog. */
function NextStep({ campaign: { id, state } }: { campaign: Campaign }) {
  const lack = useLack();
  const start = useAdminAction('startCampaign');
  const pause = useAdminAction('pauseCampaign');
  const [failure, setFailure] = useState<ActionOutcome<'startCampaign' | 'pauseCampaign'>>();
  if (state === 'settled' || state === 'ended') return null;
  const isRunning = state === 'running';
  const noBudget = state === 'draft' ? m.campaigns_no_budget() : undefined;

  async function handlePress(): Promise<void> {
    setFailure(undefined);
    const outcome = await (isRunning ? pause : start).run({ params: { id } });
    if (outcome.kind !== 'done') return setFailure(outcome);
    toasts.show('success', isRunning ? m.campaigns_paused() : m.campaigns_started(), 4000);
  }

  return (
    <>
      <Button
        isDense
        variant={isRunning ? 'quiet' : 'primary'}
        icon={isRunning ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
        isPending={start.isPending || pause.isPending}
        disabledReason={lack('campaigns.edit') ?? noBudget}
        onClick={() => void handlePress()}
      >
        {isRunning
          ? m.campaigns_pause()
          : state === 'paused'
            ? m.campaigns_resume()
            : m.campaigns_start()}
      </Button>
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
    </>
  );
}

function Budget({ campaign }: { campaign: Campaign }) {
  const { budget, given, left, returned } = campaign;
  return (
    <Section title={m.campaigns_budget()}>
      <Amounts
        lines={[
          { label: m.campaigns_budget(), units: budget, asset: 'ATH' },
          { label: m.campaigns_given(), units: given, asset: 'ATH' },
          ...(returned === null
            ? []
            : [{ label: m.campaigns_returned(), units: returned, asset: 'ATH' as const }]),
          { label: m.campaigns_left(), units: left, asset: 'ATH', isSum: true },
        ]}
      />
    </Section>
  );
}

function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const holds = useHolds();
  const { amount, startsAt, endsAt, claimCount, claimCountMax, userClaimCountMax } = campaign;
  const claims = figures(claimCount);
  return (
    <Facts
      facts={[
        { label: m.campaigns_amount(), value: <Money units={amount} asset="ATH" /> },
        { label: m.campaigns_audience(), value: audienceText(campaign) },
        { label: m.campaigns_window_from(), value: <Time at={startsAt} /> },
        { label: m.campaigns_window_to(), value: <Time at={endsAt} /> },
        {
          label: m.campaigns_claims(),
          value:
            claimCountMax === null
              ? claims
              : m.campaigns_claims_of({ count: claims, max: figures(claimCountMax) }),
        },
        {
          label: m.campaigns_user_claim_count_max(),
          value: userClaimCountMax === null ? m.campaigns_no_limit() : figures(userClaimCountMax),
        },
        {
          label: m.campaigns_settled_at(),
          value: campaign.settledAt !== null && <Time at={campaign.settledAt} />,
          isHidden: campaign.settledAt === null,
        },
        {
          label: m.campaigns_ledger(),
          value: (
            <ObjectLink to={paths.ledgerAccount(campaign.accountId)}>
              {inWords(`campaign_${campaign.id}`)}
            </ObjectLink>
          ),
          isHidden: !holds('ledger.read'),
        },
      ]}
    />
  );
}
