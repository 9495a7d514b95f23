import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { auditSentence } from '../../kit/audit-sentences.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, Section } from '../../kit/detail.tsx';
import { Difference } from '../../kit/difference.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { OUTCOME_TITLES, OUTCOME_TONES } from '../../kit/outcomes.ts';
import { ORGANISATION_TITLES } from '../../kit/organisations.ts';

type Entry = AdminAnswer<'auditEntry'>;

/** One entry: actor, object, outcome, changes, and its place in the hash chain. */
export function AuditEntryDetail({ id }: { id: string }) {
  const read = useAdminItem('auditEntry', { params: { id } });
  return (
    <DetailOf read={read} kind={m.console_audit_entry()} backTo={paths.audit}>
      {(entry) => (
        <Detail
          kind={m.console_audit_entry()}
          title={auditSentence(entry.action)}
          plainTitle={auditSentence(entry.action)}
          state={
            <Badge tone={OUTCOME_TONES[entry.outcome]}>{OUTCOME_TITLES[entry.outcome]()}</Badge>
          }
          backTo={paths.audit}
        >
          <EntryFacts entry={entry} />
          <Section title={m.console_audit_change()}>
            {entry.isEmptied ? (
              <p className="text-dense text-ink-quiet">{m.console_audit_emptied()}</p>
            ) : (
              <Difference before={entry.before} after={entry.after} />
            )}
          </Section>
          <Section title={m.console_audit_chain()}>
            <Facts
              facts={[
                { label: m.console_audit_number(), value: entry.id },
                { label: m.console_audit_digest(), value: <CopyId id={entry.digest} /> },
                { label: m.console_audit_hash(), value: <CopyId id={entry.hash} /> },
              ]}
            />
          </Section>
        </Detail>
      )}
    </DetailOf>
  );
}

function EntryFacts({ entry }: { entry: Entry }) {
  const { action, staff, organisation, subject, approvalId, ledgerKey, requestId, sessionId } =
    entry;
  return (
    <Facts
      facts={[
        { label: m.console_time(), value: <Time at={entry.at} precision="second" /> },
        { label: m.console_audit_person(), value: staff?.name ?? m.console_audit_nobody() },
        {
          label: m.console_me_organisation(),
          value: organisation !== null && ORGANISATION_TITLES[organisation](),
          isHidden: organisation === null,
        },
        {
          label: m.console_audit_subject(),
          value: <SubjectLink type={subject.type} id={subject.id} />,
        },
        { label: m.console_audit_code(), value: <CopyId id={action} /> },
        {
          label: m.console_approval(),
          value: <CopyId id={approvalId ?? ''} />,
          isHidden: approvalId === null,
        },
        {
          label: m.console_ledger_key(),
          value: <CopyId id={ledgerKey ?? ''} />,
          isHidden: ledgerKey === null,
        },
        { label: m.console_request_id(), value: <CopyId id={requestId} /> },
        {
          label: m.console_session_id(),
          value: <CopyId id={sessionId ?? ''} />,
          isHidden: sessionId === null,
        },
      ]}
    />
  );
}
