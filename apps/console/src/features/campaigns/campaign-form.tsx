/** The terms of a campaign. Amount and audience can no longer be changed once it has a budget. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseSelect } from '../../kit/dense-field.tsx';
import { Page } from '../../kit/page.tsx';
import { timeZone } from '../../state/time-zone.ts';
import { draftOf, EMPTY_DRAFT, termsOf, type Draft } from './campaign-draft.ts';
import type { Campaign } from './campaign-words.ts';

type Outcome = ActionOutcome<'createCampaign' | 'changeCampaign'>;

interface CampaignFormProps {
  campaign: Campaign | undefined;
  /** Called with the id of a new campaign. */
  onDone: (id: number | undefined) => void;
}

export function CampaignForm({ campaign, onDone }: CampaignFormProps) {
  const zone = useValue(timeZone);
  const create = useAdminAction('createCampaign');
  const change = useAdminAction('changeCampaign');
  const [draft, setDraft] = useState(() =>
    campaign === undefined ? EMPTY_DRAFT : draftOf(campaign, zone),
  );
  // The version of what was copied into the fields: the campaign itself may be read again meanwhile.
  const [version, setVersion] = useState(campaign?.version);
  const [failure, setFailure] = useState<Outcome>();
  const terms = termsOf(draft, zone);
  const isPending = create.isPending || change.isPending;
  const present = failure?.kind === 'conflict' ? (failure.present as Campaign) : undefined;

  async function save(over: number | undefined): Promise<void> {
    if ('missing' in terms) return;
    setFailure(undefined);
    const outcome: Outcome =
      campaign === undefined
        ? await create.run({ body: terms })
        : await change.run({ params: { id: campaign.id }, body: terms }, over);
    if (outcome.kind !== 'done') return setFailure(outcome);
    toasts.show('success', m.console_saved(), 4000);
    onDone(outcome.answer.id);
  }

  function handleTake(taken: Campaign): void {
    setDraft(draftOf(taken, zone));
    setVersion(taken.version);
    setFailure(undefined);
  }

  return (
    <Page title={campaign?.title ?? m.campaigns_new()}>
      <div className="max-w-column flex flex-col gap-5">
        {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
        {present !== undefined && (
          <Conflict
            present={draftOf(present, zone)}
            typed={draft}
            isPending={isPending}
            onKeep={() => void save(present.version)}
            onTake={() => handleTake(present)}
          />
        )}
        <TermsFields
          draft={draft}
          isFixed={campaign !== undefined && campaign.state !== 'draft'}
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <div className="flex flex-wrap items-baseline gap-2 pb-8">
          <Button
            isDense
            isPending={isPending}
            disabledReason={'missing' in terms ? terms.missing : undefined}
            onClick={() => void save(version)}
          >
            {m.console_save()}
          </Button>
          <Button variant="quiet" isDense onClick={() => onDone(undefined)}>
            {m.common_cancel()}
          </Button>
        </div>
      </div>
    </Page>
  );
}

interface FieldsProps {
  draft: Draft;
  isFixed: boolean;
  onChange: (part: Partial<Draft>) => void;
}

function TermsFields({ draft, isFixed, onChange }: FieldsProps) {
  return (
    <>
      <DenseField
        label={m.campaigns_name()}
        value={draft.title}
        onValueChange={(title) => onChange({ title })}
        maxLength={100}
      />
      <DenseField
        label={m.campaigns_amount_label({ symbol: 'ATH' })}
        inputMode="decimal"
        value={draft.amount}
        onValueChange={(amount) => onChange({ amount })}
        disabled={isFixed}
        hint={isFixed ? m.campaigns_fixed() : undefined}
      />
      <div className="@min-[40rem]/shell:grid-cols-2 grid gap-x-6 gap-y-5">
        <DenseField
          label={m.campaigns_starts()}
          type="datetime-local"
          value={draft.starts}
          onValueChange={(starts) => onChange({ starts })}
        />
        <DenseField
          label={m.campaigns_ends()}
          type="datetime-local"
          value={draft.ends}
          onValueChange={(ends) => onChange({ ends })}
        />
        <DenseField
          label={m.campaigns_claim_count_max()}
          hint={m.campaigns_limit_hint()}
          inputMode="numeric"
          value={draft.claimCountMax}
          onValueChange={(claimCountMax) => onChange({ claimCountMax })}
        />
        <DenseField
          label={m.campaigns_user_claim_count_max()}
          hint={m.campaigns_limit_hint()}
          inputMode="numeric"
          value={draft.userClaimCountMax}
          onValueChange={(userClaimCountMax) => onChange({ userClaimCountMax })}
        />
      </div>
      {!isFixed && <AudienceFields draft={draft} onChange={onChange} />}
    </>
  );
}

const AUDIENCES: readonly { value: Draft['audience']; label: () => string }[] = [
  { value: 'all', label: m.campaigns_audience_all },
  { value: 'tier', label: m.campaigns_audience_tier },
  { value: 'new_accounts', label: m.campaigns_audience_new },
];

function AudienceFields({ draft, onChange }: Omit<FieldsProps, 'isFixed'>) {
  const { item: options } = useAdminItem('campaignOptions', {});
  const tiers = options?.tiers.map(({ id, title }) => ({ value: String(id), label: title })) ?? [];
  return (
    <>
      <DenseSelect
        label={m.campaigns_audience()}
        value={draft.audience}
        onValueChange={(audience) => onChange({ audience: audience as Draft['audience'] })}
        options={AUDIENCES.map(({ value, label }) => ({ value, label: label() }))}
      />
      {draft.audience === 'tier' && (
        <DenseSelect
          label={m.campaigns_tier()}
          value={draft.tierId}
          onValueChange={(tierId) => onChange({ tierId })}
          options={[{ value: '', label: m.campaigns_reason_tier() }, ...tiers]}
        />
      )}
      {draft.audience === 'new_accounts' && (
        <DenseField
          label={m.campaigns_days()}
          inputMode="numeric"
          value={draft.days}
          onValueChange={(days) => onChange({ days })}
        />
      )}
    </>
  );
}
