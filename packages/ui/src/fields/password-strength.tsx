import { PASSWORD_RULES, passwordRulesMet, passwordStrength } from '@athos/domain/password';
import type { PasswordRule, PasswordStrength as Strength } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';

const RULE_TEXT: Record<PasswordRule, () => string> = {
  symbol: m.common_strength_rule_special,
  number: m.common_strength_rule_number,
  uppercase: m.common_strength_rule_uppercase,
  length: m.common_strength_rule_length,
};

const STRENGTH_TEXT: Record<Strength, () => string> = {
  None: m.common_strength_none,
  Low: m.common_strength_low,
  Medium: m.common_strength_medium,
  Strong: m.common_strength_strong,
};

const STRENGTH_BARS: Record<Strength, { count: number; colour: string; text: string }> = {
  None: { count: 0, colour: 'bg-line', text: 'text-ink-quiet' },
  Low: { count: 1, colour: 'bg-danger', text: 'text-danger' },
  Medium: { count: 2, colour: 'bg-accent', text: 'text-accent-text' },
  Strong: { count: 3, colour: 'bg-success', text: 'text-success' },
};

/** Spec 5: the meter in words and bars, starting at 'None'. */
export function PasswordStrengthMeter(props: { password: string }) {
  const strength = passwordStrength(props.password);
  const { count, colour, text } = STRENGTH_BARS[strength];
  return (
    <div className="flex items-center gap-3" role="status">
      <div className="flex grow gap-1.5" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <span
            key={bar}
            className={classNames(
              'rounded-pill h-1.5 grow transition-colors duration-200 ease-out',
              bar < count ? colour : 'bg-line',
            )}
          />
        ))}
      </div>
      <p className="text-caption text-ink-quiet">
        <span className="sr-only">{`${m.common_strength_label()}: `}</span>
        <span className={classNames('font-semibold', text)}>{STRENGTH_TEXT[strength]()}</span>
      </p>
    </div>
  );
}

/** Spec 2: the checklist beside a new password. */
export function PasswordChecklist(props: { password: string }) {
  const met = passwordRulesMet(props.password);
  return (
    <ul className="grid gap-x-4 gap-y-2" aria-label={m.common_strength_rules()}>
      {PASSWORD_RULES.map((rule) => (
        <ChecklistRule key={rule} rule={rule} isMet={met.has(rule)} />
      ))}
    </ul>
  );
}

function ChecklistRule(props: { rule: PasswordRule; isMet: boolean }) {
  return (
    <li className="text-caption flex items-center gap-2">
      <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
        {props.isMet ? (
          <>
            <circle cx="8" cy="8" r="8" className="fill-success" />
            <path
              d="m4.7 8.2 2.2 2.3 4.4-4.8"
              className="stroke-surface"
              fill="none"
              strokeWidth="1.8"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </>
        ) : (
          <circle
            cx="8"
            cy="8"
            r="7.25"
            className="stroke-line-strong"
            fill="none"
            strokeWidth="1.5"
          />
        )}
      </svg>
      <span className={props.isMet ? 'text-ink' : 'text-ink-quiet'}>{RULE_TEXT[props.rule]()}</span>
      <span className="sr-only">
        {props.isMet ? m.common_strength_rule_met() : m.common_strength_rule_open()}
      </span>
    </li>
  );
}

/** Meter and checklist, shown below a new password. */
export function PasswordStrength(props: { password: string }) {
  return (
    <div className="flex flex-col gap-3">
      <PasswordStrengthMeter password={props.password} />
      <PasswordChecklist password={props.password} />
    </div>
  );
}
