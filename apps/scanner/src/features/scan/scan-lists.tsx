import { m } from '@athos/messages/messages';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { List, RowIcon } from '@athos/ui/primitives/list-row';
import { plainText } from '@athos/ui/text/markdown';
import Check from 'lucide-react/icons/check';
import Eye from 'lucide-react/icons/eye';
import ScanLine from 'lucide-react/icons/scan-line';
import X from 'lucide-react/icons/x';
import type { ListedScan } from '../../api/scans.ts';
import type { RecentScan } from '../../state/recent-scans.ts';
import { refusalText } from './refusal-text.ts';
import { timeText } from './time-text.ts';

type Tone = 'success' | 'danger' | 'neutral';

interface ScanLineProps {
  readonly key: string;
  readonly tone: Tone;
  readonly words: string;
  readonly titles: readonly string[];
  readonly venueName: string;
  readonly time: string | number;
}

const SIGNS: Readonly<Record<Tone, typeof Check>> = { success: Check, danger: X, neutral: Eye };

export function ScanList({ lines }: { lines: readonly ScanLineProps[] }) {
  if (lines.length === 0) {
    return (
      <EmptyState
        icon={<ScanLine size={28} />}
        title={m.scanner_app_recent_empty_title()}
        text={m.scanner_app_recent_empty()}
      />
    );
  }
  return (
    <List label={m.scanner_app_recent_label()}>
      {lines.map(({ key, tone, words, titles, venueName, time }) => {
        const Sign = SIGNS[tone];
        return (
          <li key={key} className="flex items-center gap-3 px-4 py-3">
            <RowIcon tone={tone}>
              <Sign size={20} />
            </RowIcon>
            <div className="flex min-w-0 grow flex-col">
              <p className="text-body font-semibold">{words}</p>
              {titles.length > 0 && (
                <p className="text-caption wrap-anywhere">{titlesText(titles)}</p>
              )}
              <p className="text-caption text-ink-quiet">
                {m.scanner_app_recent_at({ venue: venueName, time: timeText(time) })}
              </p>
            </div>
          </li>
        );
      })}
    </List>
  );
}

/** Lists each title once, with its count. */
const titlesText = (titles: readonly string[]): string =>
  [...Map.groupBy(titles, plainText)]
    .map(([title, { length: count }]) =>
      count === 1 ? title : `${m.common_times({ count })} ${title}`,
    )
    .join(', ');

export function deviceLine(scan: RecentScan): ScanLineProps {
  const { id: key, titles, venueName, atMs: time } = scan;
  return { key, titles, venueName, time, ...deviceWords(scan) };
}

const OFFLINE_WORDS = {
  waiting: { tone: 'neutral', words: m.scanner_offline_recent_waiting },
  confirmed: { tone: 'success', words: m.scanner_offline_recent_confirmed },
  conflict: { tone: 'danger', words: m.scanner_offline_recent_conflict },
  refused: { tone: 'danger', words: m.scanner_offline_recent_refused },
} as const;

function deviceWords(scan: RecentScan): { tone: Tone; words: string } {
  const { outcome, redeemedCount, code, offline } = scan;
  if (offline !== undefined) {
    const { tone, words } = OFFLINE_WORDS[offline];
    return { tone, words: words({ count: redeemedCount }) };
  }
  switch (outcome) {
    case 'redeemed':
      return { tone: 'success', words: m.scanner_app_recent_redeemed({ count: redeemedCount }) };
    case 'refused':
      return {
        tone: 'danger',
        words: code === undefined ? m.scanner_app_nothing_title() : refusalText(code).title,
      };
    case 'looked':
      return { tone: 'neutral', words: m.scanner_app_recent_looked() };
    case 'tier':
      return { tone: 'neutral', words: m.scanner_app_recent_tier() };
    case 'lost':
      return { tone: 'danger', words: m.scanner_app_recent_lost() };
    case 'unknown':
      return { tone: 'danger', words: m.scanner_app_recent_unknown() };
  }
}

export function accountLine(scan: ListedScan): ScanLineProps {
  return {
    key: String(scan.id),
    titles: scan.titles,
    venueName: scan.venueName,
    time: scan.at,
    ...accountWords(scan),
  };
}

function accountWords(scan: ListedScan): { tone: Tone; words: string } {
  const { outcome, redeemedCount: count } = scan;
  switch (outcome) {
    case 'ok':
      return count > 0
        ? { tone: 'success', words: m.scanner_app_recent_redeemed({ count }) }
        : { tone: 'neutral', words: m.scanner_app_recent_scanned() };
    case 'already_redeemed':
      return { tone: 'danger', words: m.scanner_app_state_already_redeemed_plain() };
    case 'voided':
      return { tone: 'danger', words: m.scanner_app_state_voided() };
    case 'inactive':
      return { tone: 'danger', words: m.scanner_app_state_inactive() };
    case 'wrong_venue':
      return { tone: 'danger', words: m.scanner_app_state_wrong_venue() };
    default:
      return { tone: 'danger', words: refusalText(outcome).title };
  }
}
