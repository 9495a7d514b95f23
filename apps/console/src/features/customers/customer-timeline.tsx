/** The timeline of a customer, newest first, optionally filtered by kind. The kind is in the address. */
import type { TimelineKind } from '@athos/contract/console/customers';
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useSearchParams } from 'react-router';
import { useAdminList } from '../../api/admin.ts';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Timeline } from '../../kit/timeline.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { paths } from '../../routes/paths.ts';
import { NoteForm } from './note-form.tsx';
import { timelineEntry } from './timeline-entry.tsx';

const KIND_TITLES: Readonly<Record<TimelineKind, () => string>> = {
  movement: m.customers_timeline_movement,
  payment: m.customers_timeline_payment,
  purchase: m.customers_timeline_purchase,
  scan: m.customers_timeline_scan,
  sign_in: m.customers_timeline_sign_in,
  terms: m.customers_timeline_terms,
  mail: m.customers_timeline_mail,
  note: m.customers_timeline_note,
  staff: m.customers_timeline_staff,
};
const KINDS = Object.keys(KIND_TITLES) as readonly TimelineKind[];

export function CustomerTimeline({ uuid }: { uuid: string }) {
  const [params] = useSearchParams();
  const kind = KINDS.find((name) => name === params.get('kind'));
  const list = useAdminList('customerTimeline', kind === undefined ? {} : { kind }, { uuid });
  const { rows, failure, reload } = list;
  const path = paths.customer(uuid);
  return (
    <Section title={m.customers_timeline()}>
      <NoteForm uuid={uuid} />
      <Tabs
        label={m.customers_timeline()}
        tabs={[
          { label: m.customers_timeline_all(), to: path, isCurrent: kind === undefined },
          ...KINDS.map((name) => ({
            label: KIND_TITLES[name](),
            to: `${path}?kind=${name}`,
            isCurrent: kind === name,
          })),
        ]}
      />
      {rows === undefined && failure === undefined && <Skeleton className="h-64 w-full" />}
      {rows === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {rows?.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.customers_timeline_empty()}</p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Timeline label={m.customers_timeline()} entries={rows.map(timelineEntry)} />
      )}
      <LoadMore list={list} />
    </Section>
  );
}
