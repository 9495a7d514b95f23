import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { outcomeTitle, outcomeTone } from '../../kit/scan-words.ts';

/** One attempt: scanner, holder, venue and outcome. */
export function ScanDetail({ id }: { id: string }) {
  const read = useAdminItem('scan', { params: { id } });
  return (
    <DetailOf read={read} kind={m.scans_one()} backTo={paths.scans}>
      {({ id: scanId, at, action, outcome, venue, scannerUuid, customerUuid, ...scan }) => (
        <Detail
          kind={m.scans_one()}
          title={venue?.name ?? m.scans_no_venue()}
          plainTitle={`${m.scans_one()} ${scanId}`}
          state={<Badge tone={outcomeTone(outcome)}>{outcomeTitle(outcome)}</Badge>}
          backTo={paths.scans}
        >
          <Facts
            facts={[
              { label: m.console_time(), value: <Time at={at} precision="second" /> },
              {
                label: m.scans_action(),
                value: action === 'scan' ? m.scans_action_scan() : m.scans_action_redeem(),
              },
              { label: m.sales_items(), value: scan.titles.join(', ') },
              {
                label: m.redemptions_count(),
                value: `${scan.redeemedCount} / ${scan.itemCount}`,
                isHidden: action === 'scan',
              },
              {
                label: m.redemptions_venue(),
                value: venue !== null && (
                  <ObjectLink to={paths.venue(venue.id)}>{venue.name}</ObjectLink>
                ),
                isHidden: venue === null,
              },
              {
                label: m.redemptions_scanner(),
                value: <SubjectLink type="customer" id={scannerUuid} />,
              },
              {
                label: m.approvals_customer(),
                value: customerUuid !== null && <SubjectLink type="customer" id={customerUuid} />,
                isHidden: customerUuid === null,
              },
              { label: m.console_id(), value: <CopyId id={String(scanId)} /> },
            ]}
          />
        </Detail>
      )}
    </DetailOf>
  );
}
