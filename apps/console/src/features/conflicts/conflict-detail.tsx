/** One item that was handed out twice, or refunded and handed out: both sides, its value, and the decision about it. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { conflictKind, ConflictState, type Conflict } from './conflict-state.tsx';

const ResolveDialog = lazy(async () => ({
  default: (await import('./resolve-dialog.tsx')).ResolveDialog,
}));

export function ConflictDetail({ id }: { id: string }) {
  const read = useAdminItem('conflict', { params: { id } });
  const [isResolving, setIsResolving] = useState(false);
  return (
    <DetailOf read={read} kind={m.conflicts_one()} backTo={paths.conflicts}>
      {(conflict) => (
        <Detail
          kind={m.conflicts_one()}
          title={conflict.item.title}
          plainTitle={`${m.conflicts_one()} ${conflict.id}`}
          state={<ConflictState state={conflict.state} />}
          actions={<Resolve conflict={conflict} onResolve={() => setIsResolving(true)} />}
          backTo={paths.conflicts}
        >
          <ConflictFacts conflict={conflict} />
          <Section title={conflictKind(conflict)}>
            <div className="grid gap-6 @min-[30rem]/detail:grid-cols-2">
              <Sides conflict={conflict} />
            </div>
          </Section>
          {conflict.resolution !== null && <Resolution resolution={conflict.resolution} />}
          <AuditOf type="conflict" id={String(conflict.id)} />
          {isResolving && (
            <Suspense fallback={null}>
              <ResolveDialog conflict={conflict} onClose={() => setIsResolving(false)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

function Resolve(props: { conflict: Conflict; onResolve: () => void }) {
  const lack = useLack();
  const isDecided = props.conflict.state !== 'open';
  return (
    <Button
      isDense
      disabledReason={
        lack('scanners.manage') ?? (isDecided ? m.conflicts_reason_decided() : undefined)
      }
      onClick={props.onResolve}
    >
      {m.conflicts_resolve()}
    </Button>
  );
}

function ConflictFacts({ conflict }: { conflict: Conflict }) {
  const holds = useHolds();
  const { id, item, value, foundAt, customerUuid } = conflict;
  return (
    <Facts
      facts={[
        { label: m.conflicts_value(), value: <Money units={value} asset="ATH" /> },
        {
          label: m.conflicts_item(),
          value: (
            <span className="inline-flex flex-wrap items-center gap-x-3">
              <code className="font-code">{item.id}</code>
              {holds('purchases.read') && (
                <ObjectLink to={paths.purchase(item.purchaseId)}>{m.sales_one()}</ObjectLink>
              )}
            </span>
          ),
        },
        {
          label: m.approvals_customer(),
          value: customerUuid !== null && <SubjectLink type="customer" id={customerUuid} />,
          isHidden: customerUuid === null,
        },
        { label: m.conflicts_found(), value: <Time at={foundAt} /> },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}

function Sides({ conflict: { refundedAt, first, second } }: { conflict: Conflict }) {
  if (first !== null) {
    return (
      <>
        <Handover title={m.conflicts_first()} handover={first} />
        <Handover title={m.conflicts_second()} handover={second} />
      </>
    );
  }
  return (
    <>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="text-dense font-semibold">{m.conflicts_refund()}</p>
        <Facts
          facts={[
            {
              label: m.console_time(),
              value: refundedAt !== null && <Time at={refundedAt} precision="second" />,
            },
          ]}
        />
        <p className="text-caption text-ink-quiet">{m.conflicts_refund_text()}</p>
      </div>
      <Handover title={m.conflicts_handover()} handover={second} />
    </>
  );
}

type Side = Conflict['second'] & { redemptionId?: number };

function Handover({ title, handover }: { title: string; handover: Side }) {
  const { at, venue, scannerUuid, device, redemptionId } = handover;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-dense font-semibold">{title}</p>
      <Facts
        facts={[
          { label: m.console_time(), value: <Time at={at} precision="second" /> },
          {
            label: m.redemptions_venue(),
            value: <ObjectLink to={paths.venue(venue.id)}>{venue.name}</ObjectLink>,
          },
          {
            label: m.conflicts_device(),
            value:
              device === null ? (
                m.conflicts_online()
              ) : (
                <ObjectLink to={paths.scanner(device.id)}>{device.name ?? device.label}</ObjectLink>
              ),
          },
          {
            label: m.redemptions_scanner(),
            value: <SubjectLink type="customer" id={scannerUuid} />,
          },
          {
            label: m.conflicts_redemption(),
            value: redemptionId !== undefined && (
              <ObjectLink to={paths.redemption(redemptionId)}>{String(redemptionId)}</ObjectLink>
            ),
            isHidden: redemptionId === undefined,
          },
        ]}
      />
    </div>
  );
}

function Resolution({ resolution }: { resolution: NonNullable<Conflict['resolution']> }) {
  return (
    <Section title={m.conflicts_resolution()}>
      <p className="text-caption text-ink-quiet">
        {resolution.by.name}, <Time at={resolution.at} />
      </p>
      <p className="text-dense wrap-anywhere">{resolution.reason}</p>
    </Section>
  );
}
