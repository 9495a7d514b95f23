/** Looks up a reward code, and lists the users who are locked out for too many wrong codes. */
import type { CodeState } from '@athos/contract/console/codes';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState, type FormEvent } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { useHolds } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { LockOuts } from './lock-outs.tsx';

type Answer = AdminAnswer<'lookUpCode'>;
type FoundCode = NonNullable<Answer['found']>;

const STATES: Readonly<Record<CodeState, { title: () => string; tone: Tone }>> = {
  open: { title: m.codes_state_open, tone: 'success' },
  not_running: { title: m.codes_state_not_running, tone: 'neutral' },
  void: { title: m.codes_state_void, tone: 'danger' },
  expired: { title: m.codes_state_expired, tone: 'neutral' },
  used_up: { title: m.codes_state_used_up, tone: 'info' },
};

export function CodesScreen() {
  return (
    <Page title={m.codes_title()}>
      <div className="max-w-column flex flex-col gap-8 pb-8">
        <LookUp />
        <LockOuts />
      </div>
    </Page>
  );
}

function LookUp() {
  const { run, isPending } = useAdminAction('lookUpCode');
  const [code, setCode] = useState('');
  const [outcome, setOutcome] = useState<ActionOutcome<'lookUpCode'>>();

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (code.trim() === '') return;
    setOutcome(undefined);
    setOutcome(await run({ body: { code } }));
  }

  return (
    <Section title={m.codes_look_up()}>
      <form className="flex flex-col gap-3" onSubmit={(event) => void handleSubmit(event)}>
        <DenseField
          label={m.codes_look_up_label()}
          hint={m.codes_look_up_hint()}
          value={code}
          onValueChange={setCode}
          maxLength={300}
          spellCheck={false}
          autoCapitalize="characters"
        />
        <div>
          <Button
            type="submit"
            isDense
            isPending={isPending}
            disabledReason={code.trim() === '' ? m.codes_look_up_missing() : undefined}
          >
            {m.codes_look_up_act()}
          </Button>
        </div>
      </form>
      <div role="status">
        {outcome?.kind === 'done' && <Found answer={outcome.answer} />}
        {outcome !== undefined && <OutcomeNotice outcome={outcome} />}
      </div>
    </Section>
  );
}

function Found({ answer: { isCode, found } }: { answer: Answer }) {
  if (found !== null) return <FoundFacts found={found} />;
  return <Notice kind="info">{isCode ? m.codes_unknown() : m.codes_not_a_code()}</Notice>;
}

function FoundFacts({ found }: { found: FoundCode }) {
  const holds = useHolds();
  const { state, campaign, batch, uses, claimCount, expiresAt, claims } = found;
  return (
    <div className="flex flex-col gap-3">
      <Facts
        facts={[
          {
            label: m.campaigns_state(),
            value: <Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>,
          },
          {
            label: m.codes_campaign(),
            value: holds('campaigns.read') ? (
              <ObjectLink to={paths.campaign(campaign.id)}>{campaign.title}</ObjectLink>
            ) : (
              campaign.title
            ),
          },
          { label: m.codes_batch(), value: batch?.label ?? m.codes_batch_none() },
          { label: m.codes_claims(), value: m.codes_claims_of({ count: claimCount, uses }) },
          {
            label: m.codes_expires(),
            value: expiresAt !== null && <Time at={expiresAt} />,
            isHidden: expiresAt === null,
          },
        ]}
      />
      {claims.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.codes_claims_none()}</p>
      ) : (
        <ul className="divide-line divide-y">
          {claims.map((claim) => (
            <li
              key={claim.customerUuid}
              className="text-dense flex min-h-10 flex-wrap items-center gap-x-4 py-1"
            >
              <SubjectLink type="customer" id={claim.customerUuid} />
              <Time at={claim.claimedAt} precision="second" />
              <span className="ml-auto">
                <Money units={claim.amount} asset="ATH" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
