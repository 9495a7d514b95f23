/** The head of the hash chain, and whether the books still match it. */
import type { VerificationState } from '@athos/contract/console/ledger';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { Progress } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { Seals } from './seals.tsx';

type Chain = AdminAnswer<'ledgerChain'>;
type Verification = Chain['verifications'][number];

const STATES: Readonly<Record<VerificationState, { title: () => string; tone: Tone }>> = {
  waiting: { title: m.ledger_chain_waiting, tone: 'info' },
  running: { title: m.ledger_chain_running, tone: 'info' },
  right: { title: m.ledger_chain_right, tone: 'success' },
  wrong: { title: m.ledger_chain_wrong, tone: 'danger' },
  failed: { title: m.ledger_chain_failed, tone: 'danger' },
};

const POLL_MS = 2000;

const isUnderWay = ({ state }: Verification): boolean => state === 'waiting' || state === 'running';

export function ChainScreen() {
  const read = useAdminItem(
    'ledgerChain',
    {},
    { pollMs: (chain) => chain?.verifications.some(isUnderWay) === true && POLL_MS },
  );
  const { item, failure, reload } = read;
  return (
    <Page
      title={m.ledger_chain_title()}
      actions={
        <VerifyButton
          isBusy={item?.verifications.some((one) => one.isWhole && isUnderWay(one)) === true}
        />
      }
    >
      <p className="text-dense text-ink-quiet max-w-column">{m.ledger_chain_lead()}</p>
      {item !== undefined && (
        <>
          <ChainFacts chain={item} />
          <Seals />
        </>
      )}
      {item === undefined && failure === undefined && <Skeleton className="h-40 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
    </Page>
  );
}

/** Staff ask for the walk from the first row, of which one is under way at a time. */
function VerifyButton({ isBusy }: { isBusy: boolean }) {
  const lack = useLack();
  const { run, isPending } = useAdminAction('verifyLedger');
  const [outcome, setOutcome] = useState<ActionOutcome<'verifyLedger'>>();
  return (
    <div className="flex flex-col gap-2">
      {outcome !== undefined && <OutcomeNotice outcome={outcome} />}
      <Button
        isDense
        isPending={isPending || isBusy}
        disabledReason={lack('ledger.verify')}
        onClick={() => void run({}).then(setOutcome)}
      >
        {m.ledger_chain_verify()}
      </Button>
    </div>
  );
}

function ChainFacts({ chain }: { chain: Chain }) {
  const { head, postedAt, verifications } = chain;
  const [latest, ...earlier] = verifications;
  return (
    <>
      <Facts
        facts={[
          { label: m.ledger_chain_head(), value: <CopyId id={head} /> },
          {
            label: m.ledger_chain_posted(),
            value:
              postedAt === null ? m.console_never() : <Time at={postedAt} precision="second" />,
          },
        ]}
      />
      <Section title={m.ledger_chain_last()}>
        {latest === undefined ? (
          <p className="text-dense text-ink-quiet">{m.ledger_chain_never()}</p>
        ) : (
          <Latest verification={latest} />
        )}
      </Section>
      {earlier.length > 0 && (
        <Section title={m.ledger_chain_earlier()}>
          <Timeline
            label={m.ledger_chain_earlier()}
            entries={earlier.map((verification) => ({
              key: verification.id,
              at: verification.requestedAt,
              title: <StateBadge state={verification.state} />,
              text: whoAndWhat(verification),
            }))}
          />
        </Section>
      )}
    </>
  );
}

const StateBadge = ({ state }: { state: VerificationState }) => (
  <Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>
);

const beginningOf = ({ isWhole }: Verification): string =>
  isWhole ? m.ledger_chain_whole() : m.ledger_chain_from_checkpoint();

const whoAndWhat = (verification: Verification): string => {
  const { requestedBy, transfersDone, fault } = verification;
  return [
    requestedBy ?? m.ledger_chain_by_itself(),
    beginningOf(verification),
    fault?.row ?? m.ledger_chain_transfers({ count: figures(transfersDone) }),
  ].join(' · ');
};

function Latest({ verification }: { verification: Verification }) {
  const { requestedAt, requestedBy, finishedAt, head, state } = verification;
  return (
    <div className="max-w-column flex flex-col gap-4">
      <Finding verification={verification} />
      <Facts
        facts={[
          { label: m.console_state(), value: <StateBadge state={state} /> },
          { label: m.ledger_chain_extent(), value: beginningOf(verification) },
          { label: m.console_audit_person(), value: requestedBy ?? m.ledger_chain_by_itself() },
          {
            label: m.console_time(),
            value: <Time at={finishedAt ?? requestedAt} precision="second" />,
          },
          {
            label: m.ledger_chain_verified_head(),
            value: <CopyId id={head ?? ''} />,
            isHidden: head === null,
          },
        ]}
      />
    </div>
  );
}

function Finding({ verification }: { verification: Verification }) {
  const { state, transfersDone, transfersTotal, accountCount, fault } = verification;
  if (isUnderWay(verification)) {
    const facts = { done: figures(transfersDone), total: figures(transfersTotal) };
    return (
      <Progress
        label={m.ledger_chain_title()}
        text={m.ledger_chain_progress(facts)}
        done={transfersDone}
        total={transfersTotal}
      />
    );
  }
  if (state === 'right') {
    return (
      <p className="text-dense">
        {m.ledger_chain_right_text({
          transfers: figures(transfersDone),
          accounts: figures(accountCount ?? 0),
        })}
      </p>
    );
  }
  return (
    <Notice
      kind="danger"
      title={
        fault === null ? m.ledger_chain_failed() : m.ledger_chain_wrong_title({ row: fault.row })
      }
    >
      {fault?.reason ?? m.ledger_chain_failed_text()}
    </Notice>
  );
}
