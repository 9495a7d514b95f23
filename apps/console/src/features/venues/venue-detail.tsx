/** One venue: its address, its staff and scanners, its offers, and its counts. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { COUNTS_POLL_MS, CountsTable } from './venue-counts.tsx';

const VenueDialog = lazy(async () => ({
  default: (await import('./venue-dialogs.tsx')).VenueDialog,
}));

export type Venue = AdminAnswer<'venue'>;
type Member = Venue['staff'][number];
export type VenueAct =
  { readonly kind: 'text' | 'archive' | 'bind' | 'sign_out' | 'enrol' } | Unbinding;
interface Unbinding {
  readonly kind: 'unbind';
  readonly member: Member;
}

export function VenueDetail({ id }: { id: string }) {
  const read = useAdminItem('venue', { params: { id } });
  const [act, setAct] = useState<VenueAct>();
  return (
    <DetailOf read={read} kind={m.venues_one()} backTo={paths.venues}>
      {(venue) => (
        <Detail
          kind={m.venues_one()}
          title={venue.name}
          plainTitle={venue.name}
          state={venue.archivedAt !== null && <Badge>{m.venues_archived()}</Badge>}
          actions={<Actions venue={venue} onAct={setAct} />}
          backTo={paths.venues}
        >
          <VenueFacts venue={venue} />
          <Counts venueId={venue.id} />
          <Staff venue={venue} onAct={setAct} />
          <Offers venue={venue} />
          <AuditOf type="venue" id={String(venue.id)} />
          {act !== undefined && (
            <Suspense fallback={null}>
              <VenueDialog act={act} venue={venue} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

interface ActProps {
  venue: Venue;
  onAct: (act: VenueAct) => void;
}

function Actions({ venue, onAct }: ActProps) {
  const lackOf = useLack();
  const lack = lackOf('venues.edit');
  const isArchived = venue.archivedAt !== null;
  return (
    <ActionMenu
      actions={[
        { label: m.venues_edit(), disabledReason: lack, onPress: () => onAct({ kind: 'text' }) },
        {
          label: m.scanners_enrol(),
          disabledReason:
            lackOf('scanners.manage') ?? (isArchived ? m.venues_reason_archived() : undefined),
          onPress: () => onAct({ kind: 'enrol' }),
        },
        {
          label: m.scanners_all_sign_out(),
          isDanger: true,
          disabledReason: lackOf('scanners.manage'),
          onPress: () => onAct({ kind: 'sign_out' }),
        },
        {
          label: isArchived ? m.venues_reopen() : m.venues_archive(),
          isDanger: !isArchived,
          disabledReason: lack,
          onPress: () => onAct({ kind: 'archive' }),
        },
      ]}
    />
  );
}

function VenueFacts({ venue }: { venue: Venue }) {
  const { id, address, hours, archivedAt } = venue;
  return (
    <Facts
      facts={[
        { label: m.venues_address(), value: address },
        {
          label: m.venues_hours(),
          value: (
            <span className="whitespace-pre-line">{hours === '' ? m.console_none() : hours}</span>
          ),
        },
        {
          label: m.venues_archived_at(),
          value: archivedAt !== null && <Time at={archivedAt} />,
          isHidden: archivedAt === null,
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}

function Counts({ venueId }: { venueId: number }) {
  const { item } = useAdminItem(
    'venueCounts',
    { query: { venueId: String(venueId) } },
    { pollMs: () => COUNTS_POLL_MS },
  );
  return (
    <Section
      title={m.venues_counts()}
      actions={
        <ObjectLink to={`${paths.scans}?venueId=${venueId}`}>{m.venues_all_scans()}</ObjectLink>
      }
    >
      {item === undefined ? <Skeleton className="h-24 w-full" /> : <CountsTable counts={item} />}
    </Section>
  );
}

function Staff({ venue, onAct }: ActProps) {
  const lack = useLack()('venues.edit');
  return (
    <Section
      title={m.venues_staff()}
      actions={
        <Button
          variant="quiet"
          isDense
          disabledReason={
            lack ?? (venue.archivedAt === null ? undefined : m.venues_reason_archived())
          }
          onClick={() => onAct({ kind: 'bind' })}
        >
          {m.venues_bind()}
        </Button>
      }
    >
      {venue.staff.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.venues_staff_none()}</p>
      )}
      <ul className="divide-line flex flex-col divide-y">
        {venue.staff.map((member) => (
          <li
            key={member.uuid}
            className="text-dense flex flex-wrap items-center gap-x-4 gap-y-1 py-2"
          >
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold wrap-anywhere">{member.email}</span>
              <span className="text-caption text-ink-quiet flex flex-wrap gap-x-3">
                <CopyId id={member.uuid} isShort />
                {member.lastScanAt === null ? (
                  m.venues_no_scan()
                ) : (
                  <span>
                    {m.venues_last_scan()} <Time at={member.lastScanAt} />
                  </span>
                )}
              </span>
            </span>
            <span className="ml-auto">
              <Button
                variant="quiet"
                isDense
                disabledReason={lack}
                aria-label={m.venues_unbind_one({ email: member.email })}
                onClick={() => onAct({ kind: 'unbind', member })}
              >
                {m.venues_unbind()}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Offers({ venue }: { venue: Venue }) {
  return (
    <Section title={m.venues_offers()}>
      {venue.offers.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.venues_offers_none()}</p>
      ) : (
        <ul className="text-dense flex flex-col gap-1.5">
          {venue.offers.map(({ id, title, isEverywhere }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 wrap-anywhere">{title}</span>
              {!isEverywhere && <Badge tone="info">{m.venues_offers_here()}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
