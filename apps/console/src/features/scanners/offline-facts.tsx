import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { Badge } from '../../kit/badge.tsx';
import { Facts, Section } from '../../kit/detail.tsx';
import { moneyText } from '../../kit/money.tsx';
import { Time } from '../../kit/time.tsx';
import type { Scanner } from './scanner-words.ts';

type Offline = NonNullable<Scanner['offline']>;

function suspectNotice({ isAboveAllowance, isElsewhere }: Offline): string {
  if (isElsewhere) return m.scanners_elsewhere_notice();
  return isAboveAllowance ? m.scanners_above_notice() : m.scanners_suspect_notice();
}

/** The redemptions that a device made without a network, and its remaining allowance. */
export function OfflineFacts({ offline }: { offline: Offline }) {
  const { lastSyncAt, suspectSince, keptCount, conflictCount } = offline;
  const { itemsMax, valueMax } = offline;
  return (
    <Section title={m.scanners_offline()}>
      {suspectSince !== null && <Notice kind="danger">{suspectNotice(offline)}</Notice>}
      {suspectSince === null && keptCount > 0 && (
        <Notice kind="info">{m.scanners_kept_notice()}</Notice>
      )}
      <Facts
        facts={[
          {
            label: m.scanners_state(),
            value:
              suspectSince === null ? (
                m.scanners_offline_active()
              ) : (
                <Badge tone="danger">{m.scanners_suspect()}</Badge>
              ),
          },
          {
            label: m.scanners_offline_since(),
            value: suspectSince !== null && <Time at={suspectSince} />,
            isHidden: suspectSince === null,
          },
          {
            label: m.scanners_offline_kept(),
            value: <span className="tabular">{keptCount}</span>,
            isHidden: keptCount === 0,
          },
          {
            label: m.scanners_offline_allowance(),
            value: m.scanners_offline_allowance_value({
              count: itemsMax,
              amount: moneyText(valueMax, 'ATH'),
            }),
          },
          {
            label: m.scanners_offline_conflicts(),
            value: <span className="tabular">{conflictCount}</span>,
          },
          {
            label: m.scanners_offline_last_sync(),
            value: lastSyncAt === null ? m.scanners_offline_never() : <Time at={lastSyncAt} />,
          },
        ]}
      />
    </Section>
  );
}
