import type { BatchState, SheetForm } from '@athos/contract/console/batches';
import type { CampaignState } from '@athos/contract/console/campaigns';
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

export type Campaign = AdminAnswer<'campaign'>;

interface StateWords {
  readonly title: () => string;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<CampaignState, StateWords>> = {
  draft: { title: m.campaigns_state_draft, tone: 'neutral' },
  funded: { title: m.campaigns_state_funded, tone: 'info' },
  running: { title: m.campaigns_state_running, tone: 'success' },
  paused: { title: m.campaigns_state_paused, tone: 'danger' },
  ended: { title: m.campaigns_state_ended, tone: 'info' },
  settled: { title: m.campaigns_state_settled, tone: 'neutral' },
};

export const CAMPAIGN_STATES = Object.keys(STATES) as readonly CampaignState[];

export const BATCH_STATES: Readonly<Record<BatchState, StateWords>> = {
  waiting: { title: m.batches_state_waiting, tone: 'info' },
  making: { title: m.batches_state_making, tone: 'info' },
  ready: { title: m.batches_state_ready, tone: 'success' },
  failed: { title: m.batches_state_failed, tone: 'danger' },
  void: { title: m.batches_state_void, tone: 'neutral' },
};

export const SHEET_TITLES: Readonly<Record<SheetForm, () => string>> = {
  a4_2x5: m.batches_sheet_a4_2x5,
  a4_3x8: m.batches_sheet_a4_3x8,
  letter_2x5: m.batches_sheet_letter_2x5,
  letter_3x8: m.batches_sheet_letter_3x8,
};

export const SHEET_FORMS = Object.keys(SHEET_TITLES) as readonly SheetForm[];

export function audienceText({ audience, tierTitle }: Campaign): string {
  switch (audience.kind) {
    case 'all':
      return m.campaigns_audience_all();
    case 'tier':
      return m.campaigns_audience_tier_is({ tier: tierTitle ?? String(audience.tierId) });
    case 'new_accounts':
      return m.campaigns_audience_new_is({ days: audience.days });
  }
}
