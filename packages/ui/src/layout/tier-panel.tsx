import { wantsDarkInk } from '@athos/domain/colour';
import { formatAthRoundedUp, subtractMicroAth } from '@athos/domain/money';
import type { MicroAth } from '@athos/domain/money';
import {
  byAmountDescending,
  currentTier,
  nextTier,
  tierProgressPercent,
} from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import { BrandMark } from './brand-mark.tsx';
import { classNames } from '../primitives/class-names.ts';
import { textLinkClass } from '../primitives/link.tsx';

export interface PanelTier {
  readonly id: number;
  readonly title: string;
  readonly amountMicroAth: MicroAth;
  readonly color: string;
  readonly note: string;
}

export interface TierPanelProps {
  tiers: readonly PanelTier[];
  balance: MicroAth;
  symbol: string;
  /** The address to which the word 'online' in a note links (spec 9). */
  onlineUrl: string;
}

/** Spec 9: the user's tier, the amount missing to the next one, and all tiers, highest first. */
export function TierPanel(props: TierPanelProps) {
  const { tiers, balance, symbol, onlineUrl } = props;
  if (tiers.length === 0) return null;
  const current = currentTier(tiers, balance);
  return (
    <section aria-label={m.common_tier_panel_label()} className="flex flex-col gap-3">
      <TierHero tiers={tiers} balance={balance} symbol={symbol} />
      <ul className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring">
        {byAmountDescending(tiers).map((tier) => (
          <TierRow
            key={tier.id}
            tier={tier}
            symbol={symbol}
            onlineUrl={onlineUrl}
            isCurrent={tier === current}
          />
        ))}
      </ul>
    </section>
  );
}

type TierHeroProps = Omit<TierPanelProps, 'onlineUrl'>;

function tierSentence({ tiers, balance, symbol }: TierHeroProps): string {
  const next = nextTier(tiers, balance);
  if (next === undefined) return m.common_tier_highest();
  if (currentTier(tiers, balance) === undefined) {
    return m.common_tier_lowest_needed({ amount: formatAthRoundedUp(next.amountMicroAth), symbol });
  }
  const missing = subtractMicroAth(next.amountMicroAth, balance);
  return m.common_tier_to_next({ amount: formatAthRoundedUp(missing), symbol, title: next.title });
}

/** The gradient becomes lighter under dark text and darker under light text, so contrast never falls. */
function heroColours(ground: string | undefined): string {
  if (ground === undefined) return 'bg-sunken text-ink';
  return wantsDarkInk(ground)
    ? 'text-card-ink bg-linear-135 from-[color-mix(in_oklab,var(--tier)_72%,white)] to-(--tier)'
    : 'text-card-paper bg-linear-135 from-(--tier) to-[color-mix(in_oklab,var(--tier)_72%,black)]';
}

function TierHero(props: TierHeroProps) {
  const current = currentTier(props.tiers, props.balance);
  const next = nextTier(props.tiers, props.balance);
  const percent = tierProgressPercent(props.tiers, props.balance);
  const ground = current?.color;
  return (
    <div
      className={classNames('rounded-large relative overflow-hidden p-5', heroColours(ground))}
      style={ground === undefined ? undefined : { ['--tier' as string]: ground }}
    >
      <BrandMark className="pointer-events-none absolute -right-6 -bottom-8 size-40 opacity-15" />
      <div className="relative flex flex-col gap-1">
        <p className="font-display text-headline font-bold tracking-tight">
          {current === undefined
            ? m.common_tier_none()
            : m.common_tier_badge({ title: current.title })}
        </p>
        <p className="text-body font-medium text-pretty">{tierSentence(props)}</p>
        {next !== undefined && (
          <div
            role="progressbar"
            aria-label={m.common_tier_progress_label({ title: next.title })}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="rounded-pill mt-4 h-2 overflow-hidden bg-current/25"
          >
            <div
              className="rounded-pill h-full min-w-2 bg-current transition-[width] duration-250 ease-out"
              style={{ width: `${percent}%` }}
            />
          </div>
        )}
      </div>
    </div>
  );
}

function TierRow(props: {
  tier: PanelTier;
  symbol: string;
  onlineUrl: string;
  isCurrent: boolean;
}) {
  const { tier, symbol, onlineUrl, isCurrent } = props;
  return (
    <li className="flex items-start gap-3 px-4 py-3.5" aria-current={isCurrent || undefined}>
      <span
        aria-hidden="true"
        className="rounded-pill inset-ring-line-strong mt-1 size-4 shrink-0 inset-ring"
        style={{ backgroundColor: tier.color }}
      />
      <div className="flex min-w-0 grow flex-col">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-body font-semibold">
            {tier.title}
            {isCurrent && (
              <span className="rounded-pill bg-success-surface text-success text-caption ml-2 px-2 py-0.5">
                {m.common_tier_current()}
              </span>
            )}
          </span>
          <span className="text-caption text-ink-quiet tabular">
            {m.common_tier_from({ amount: formatAthRoundedUp(tier.amountMicroAth), symbol })}
          </span>
        </div>
        <p className="text-caption text-ink-quiet text-pretty">
          <TierNote note={tier.note} onlineUrl={onlineUrl} />
        </p>
      </div>
    </li>
  );
}

/** Spec 9: the word 'online' in a note becomes a link. */
function TierNote({ note, onlineUrl }: { note: string; onlineUrl: string }) {
  const match = /\bonline\b/i.exec(note);
  if (match === null) return note;
  return (
    <>
      {note.slice(0, match.index)}
      <a href={onlineUrl} target="_blank" rel="noreferrer" className={textLinkClass}>
        {match[0]}
        <span className="sr-only">{` (${m.common_opens_new_window()})`}</span>
      </a>
      {note.slice(match.index + match[0].length)}
    </>
  );
}
