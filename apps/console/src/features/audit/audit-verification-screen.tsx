/** Audit verification: runs one now, and shows the results of the last ones. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { Facts, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { ProgressBar } from '../../kit/progress.tsx';
import { Timeline } from '../../kit/timeline.tsx';

type Head = AdminAnswer<'auditHead'>;
type Verification = Head['verifications'][number];

const POLL_MS = 2000;
const HEAD = /^[0-9a-f]{64}$/i;

const isUnderWay = (verification: Verification | undefined): boolean =>
  verification !== undefined && verification.finishedAt === null;

export function AuditVerificationScreen() {
  const { item, failure, reload } = useAdminItem(
    'auditHead',
    {},
    { pollMs: (head) => isUnderWay(head?.verifications[0]) && POLL_MS },
  );
  return (
    <Page title={m.console_audit_verification()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.console_audit_verify_lead()}</p>
      {item === undefined && failure === undefined && <Skeleton className="h-40 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item !== undefined && (
        <>
          <Facts
            facts={[
              { label: m.console_audit_head(), value: <CopyId id={item.hash} /> },
              { label: m.console_audit_count(), value: figures(item.entryCount) },
            ]}
          />
          <VerifyForm latest={item.verifications[0]} />
          <Verifications verifications={item.verifications} />
        </>
      )}
    </Page>
  );
}

/** With a head from a seal's mail, the verification also proves that nothing before it was rewritten. */
function VerifyForm({ latest }: { latest: Verification | undefined }) {
  const lack = useLack();
  const { run, isPending } = useAdminAction('verifyAudit');
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<ActionOutcome<'verifyAudit'>>();
  const head = text.trim();
  const isWrong = head !== '' && !HEAD.test(head);
  return (
    <form
      className="max-w-column flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void run({ body: head === '' ? {} : { head } }).then(setOutcome);
      }}
    >
      {outcome !== undefined && <OutcomeNotice outcome={outcome} />}
      <DenseField
        label={m.console_audit_known_head()}
        hint={m.console_audit_known_head_hint()}
        error={isWrong ? m.console_audit_known_head_wrong() : undefined}
        value={text}
        onValueChange={setText}
      />
      <Button
        type="submit"
        isDense
        isPending={isPending || isUnderWay(latest)}
        disabledReason={
          lack('audit.verify') ?? (isWrong ? m.console_audit_known_head_wrong() : undefined)
        }
      >
        {m.ledger_chain_verify()}
      </Button>
      {isUnderWay(latest) && (
        <div className="flex w-full flex-col gap-1">
          <ProgressBar label={m.console_audit_verification()} />
          <span role="status" className="text-dense text-ink-quiet">
            {m.console_audit_verifying()}
          </span>
        </div>
      )}
    </form>
  );
}

function Verifications({ verifications }: Pick<Head, 'verifications'>) {
  const finished = verifications.filter((verification) => !isUnderWay(verification));
  const fault = finished[0]?.fault ?? null;
  return (
    <Section title={m.ledger_chain_last()}>
      {fault !== null && (
        <Notice kind="danger" title={m.console_audit_wrong()}>
          {fault}
        </Notice>
      )}
      {finished.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.console_audit_never_verified()}</p>
      )}
      <Timeline
        label={m.ledger_chain_last()}
        entries={finished.map((verification) => ({
          key: verification.id,
          at: verification.finishedAt ?? verification.requestedAt,
          title:
            verification.fault === null ? (
              <Badge tone="success">{m.ledger_chain_right()}</Badge>
            ) : (
              <Badge tone="danger">{m.ledger_chain_wrong()}</Badge>
            ),
          text:
            verification.fault ??
            m.console_audit_verified({
              count: figures(verification.entryCount ?? 0),
              emptied: figures(verification.emptiedCount ?? 0),
            }),
        }))}
      />
    </Section>
  );
}
