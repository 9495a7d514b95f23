import { classNames } from '@athos/ui/primitives/class-names';

export type Tone = 'neutral' | 'info' | 'success' | 'danger';

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-ink-quiet',
  info: 'bg-info-surface text-info',
  success: 'bg-success-surface text-success',
  danger: 'bg-danger-surface text-danger',
};

/** The state of an object in words. The colour only repeats it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: string }) {
  return (
    <span
      className={classNames(
        'rounded-dense text-caption inline-flex items-center px-2 py-0.5 font-semibold whitespace-nowrap @max-[22rem]/list:whitespace-normal',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
