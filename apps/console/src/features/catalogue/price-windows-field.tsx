/** Prices that apply for a limited time, each with its beginning and its end. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { DenseField } from '../../kit/dense-field.tsx';
import { DenseIconButton } from '../../kit/icon-button.tsx';
import type { FieldsetProps } from './offer-form.tsx';
import type { TypedWindow } from './offer-draft.ts';

const WINDOWS_MAX = 20;

export function PriceWindowsField({ draft, errors, onChange }: FieldsetProps) {
  const { windows } = draft;
  const setAll = (next: readonly TypedWindow[]): void => onChange({ ...draft, windows: next });
  const set = (key: number, part: Partial<TypedWindow>): void =>
    setAll(windows.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const nextKey = 1 + Math.max(-1, ...windows.map(({ key }) => key));
  return (
    <div className="flex flex-col items-start gap-3">
      {windows.map((one, index) => (
        <fieldset
          key={one.key}
          className="border-line rounded-small flex w-full flex-col gap-3 border p-3"
        >
          <legend className="text-caption text-ink-quiet px-1 font-semibold">
            {m.catalogue_price_window({ number: index + 1 })}
          </legend>
          <div className="grid gap-3 small:grid-cols-[8rem_1fr_1fr_auto] small:items-end">
            <DenseField
              label={m.catalogue_price()}
              inputMode="decimal"
              value={one.price}
              onValueChange={(price) => set(one.key, { price })}
              error={errors[`/priceWindows/${index}/price`]}
            />
            <DenseField
              type="datetime-local"
              label={m.catalogue_from()}
              value={one.from}
              onValueChange={(from) => set(one.key, { from })}
            />
            <DenseField
              type="datetime-local"
              label={m.catalogue_until()}
              value={one.until}
              onValueChange={(until) => set(one.key, { until })}
              error={errors[`/priceWindows/${index}`]}
            />
            <DenseIconButton
              label={m.catalogue_price_window_remove({ number: index + 1 })}
              icon={<Trash size={16} aria-hidden />}
              onClick={() => setAll(windows.filter(({ key }) => key !== one.key))}
            />
          </div>
        </fieldset>
      ))}
      {windows.length < WINDOWS_MAX && (
        <Button
          variant="quiet"
          isDense
          icon={<Plus size={16} aria-hidden />}
          onClick={() => setAll([...windows, { key: nextKey, price: '', from: '', until: '' }])}
        >
          {m.catalogue_price_window_add()}
        </Button>
      )}
    </div>
  );
}
