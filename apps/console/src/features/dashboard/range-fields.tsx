import type { Comparison } from '@athos/contract/console/dashboard';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DenseField, DenseSelect } from '../../kit/dense-field.tsx';
import { DAYS_MAX, isRangeRight, PRESETS, type DashboardRange, type Preset } from './range.ts';

const PRESET_LABELS: Readonly<Record<Preset, () => string>> = {
  '1': m.dashboard_range_1,
  '7': m.dashboard_range_7,
  '30': m.dashboard_range_30,
  '92': m.dashboard_range_92,
  month: m.dashboard_range_month,
  other: m.dashboard_range_other,
};

const COMPARE_LABELS: Readonly<Record<Comparison, () => string>> = {
  previous: m.dashboard_compare_previous,
  weekdays: m.dashboard_compare_weekdays,
  none: m.dashboard_compare_none,
};

interface RangeFieldsProps {
  range: DashboardRange;
  today: string;
}

/** Chooses the displayed days and the period of comparison. */
export function RangeFields({ range, today }: RangeFieldsProps) {
  const [, setParams] = useSearchParams();
  const change = (next: Readonly<Record<string, string>>): void =>
    setParams({ compare: range.compare, ...next }, { replace: true });
  const days =
    range.preset === 'other' ? { from: range.from, to: range.to } : { range: range.preset };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-44 max-w-full">
        <DenseSelect
          label={m.dashboard_range()}
          value={range.preset}
          onValueChange={(preset) =>
            change(preset === 'other' ? { from: range.from, to: range.to } : { range: preset })
          }
          options={PRESETS.map((value) => ({ value, label: PRESET_LABELS[value]() }))}
        />
      </div>
      {range.preset === 'other' && (
        <OtherDays
          key={`${range.from} ${range.to}`}
          range={range}
          today={today}
          onChange={(from, to) => change({ from, to })}
        />
      )}
      <div className="w-56 max-w-full">
        <DenseSelect
          label={m.dashboard_compare()}
          value={range.compare}
          onValueChange={(compare) => change({ ...days, compare })}
          options={Object.entries(COMPARE_LABELS).map(([value, label]) => ({
            value,
            label: label(),
          }))}
        />
      </div>
    </div>
  );
}

interface OtherDaysProps extends RangeFieldsProps {
  onChange: (from: string, to: string) => void;
}

/** The address changes once both days form a valid range. */
function OtherDays({ range, today, onChange }: OtherDaysProps) {
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const isRight = isRangeRight(from, to, today);
  const apply = (nextFrom: string, nextTo: string): void => {
    if (isRangeRight(nextFrom, nextTo, today)) onChange(nextFrom, nextTo);
  };
  return (
    <>
      <div className="w-40 max-w-full">
        <DenseField
          label={m.dashboard_from()}
          type="date"
          max={today}
          value={from}
          onValueChange={(next) => {
            setFrom(next);
            apply(next, to);
          }}
        />
      </div>
      <div className="w-40 max-w-full">
        <DenseField
          label={m.dashboard_to()}
          type="date"
          max={today}
          value={to}
          error={isRight ? undefined : m.dashboard_range_wrong({ count: DAYS_MAX })}
          onValueChange={(next) => {
            setTo(next);
            apply(from, next);
          }}
        />
      </div>
    </>
  );
}
