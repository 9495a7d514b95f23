/**
 * The audit: who did what. Other lists follow this example. Filters and columns are data, list and detail are two calls of the
 * contract, and the kit draws the frame.
 */
import { m } from '@athos/messages/messages';
import { useParams } from 'react-router';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { auditSentence } from '../../kit/audit-sentences.ts';
import { Badge } from '../../kit/badge.tsx';
import { ExportButton } from '../../kit/export-button.tsx';
import { ObjectLink } from '../../kit/detail.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { SubjectName, subjectTitle } from '../../kit/subject-link.tsx';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { AuditEntryDetail } from './audit-entry-detail.tsx';
import { OUTCOME_TITLES, OUTCOME_TONES } from '../../kit/outcomes.ts';

type Entry = RowOf<'auditEntries'>;

const filters = (): readonly Filter[] => [
  {
    id: 'action',
    label: m.console_audit_action(),
    kind: 'text',
    hint: m.console_audit_action_hint(),
  },
  {
    id: 'outcome',
    label: m.console_audit_outcome(),
    kind: 'choice',
    options: Object.entries(OUTCOME_TITLES).map(([value, title]) => ({ value, label: title() })),
  },
  { id: 'subjectType', label: m.console_audit_subject_kind(), kind: 'text' },
  { id: 'subjectId', label: m.console_audit_subject_id(), kind: 'text' },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];

const columns = (): readonly Column<Entry>[] => [
  { id: 'action', title: m.console_audit_action(), cell: ({ action }) => auditSentence(action) },
  {
    id: 'outcome',
    title: m.console_audit_outcome(),
    cell: ({ outcome }) => <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOME_TITLES[outcome]()}</Badge>,
  },
  {
    id: 'staff',
    title: m.console_audit_person(),
    cell: ({ staff }) => staff?.name ?? m.console_audit_nobody(),
    from: 'medium',
  },
  {
    id: 'subject',
    title: m.console_audit_subject(),
    cell: ({ subject }) => (
      <>
        {subjectTitle(subject.type)} <SubjectName {...subject} />
      </>
    ),
    from: 'large',
  },
  {
    id: 'at',
    title: m.console_time(),
    cell: ({ at }) => <Time at={at} />,
    align: 'end',
    sort: { descending: 'newest', ascending: 'oldest' },
  },
];

export function AuditScreen() {
  const { id } = useParams();
  const view = useListView(filters(), 'newest');
  const list = useAdminList('auditEntries', view.query);
  return (
    <ListDetail
      list={
        <ListPage
          title={m.console_audit_title()}
          list={list}
          view={view}
          filters={filters()}
          columns={columns()}
          keyOf={(entry) => String(entry.id)}
          pathOf={(entry) => paths.auditEntry(entry.id)}
          openKey={id}
          path={paths.audit}
          emptyText={m.console_audit_empty()}
          actions={
            <>
              <ExportButton name="audit" filters={view.query} count={list.count} />
              <ObjectLink to={paths.auditVerification}>{m.console_audit_verification()}</ObjectLink>
            </>
          }
        />
      }
      detail={id === undefined ? undefined : <AuditEntryDetail id={id} />}
    />
  );
}
