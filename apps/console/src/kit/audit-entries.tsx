/** The newest entries of the audit about one object. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useAdminList } from '../api/admin.ts';
import { paths } from '../routes/paths.ts';
import type { AuditOfProps } from './audit-of.tsx';
import { auditSentence } from './audit-sentences.ts';
import { Badge } from './badge.tsx';
import { ObjectLink, Section } from './detail.tsx';
import { OUTCOME_TITLES, OUTCOME_TONES } from './outcomes.ts';
import { Timeline } from './timeline.tsx';

const SHOWN_COUNT = '10';

export function AuditEntries({ type, id }: AuditOfProps) {
  const query = { subjectType: type, subjectId: id };
  const { rows } = useAdminList('auditEntries', { ...query, limit: SHOWN_COUNT });
  const all = new URLSearchParams(query).toString();
  return (
    <Section
      title={m.console_audit_title()}
      actions={<ObjectLink to={`${paths.audit}?${all}`}>{m.console_view_all()}</ObjectLink>}
    >
      {rows === undefined && <Skeleton className="h-16 w-full" />}
      {rows?.length === 0 && <p className="text-dense text-ink-quiet">{m.console_none()}</p>}
      {rows !== undefined && rows.length > 0 && (
        <Timeline
          label={m.console_audit_title()}
          entries={rows.map((entry) => ({
            key: String(entry.id),
            at: entry.at,
            title: (
              <ObjectLink to={paths.auditEntry(entry.id)}>{auditSentence(entry.action)}</ObjectLink>
            ),
            text: entry.staff?.name ?? m.console_audit_nobody(),
            // The sentence names the action, so a badge must say if it was not done.
            trailing: entry.outcome !== 'done' && (
              <Badge tone={OUTCOME_TONES[entry.outcome]}>{OUTCOME_TITLES[entry.outcome]()}</Badge>
            ),
          }))}
        />
      )}
    </Section>
  );
}
