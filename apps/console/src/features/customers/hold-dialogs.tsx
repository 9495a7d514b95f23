/** The dialogs to place and to release a hold. */
import type { HoldKind } from '@athos/contract/console/holds';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { HOLD_KINDS, HOLD_KIND_TITLES, kindsText } from './hold-words.ts';
import type { Hold } from './holds.tsx';

const HOUR_MS = 3_600_000;

const ENDS = [
  { value: 'never', hours: undefined, label: m.customers_hold_end_never },
  { value: 'day', hours: 24, label: m.customers_hold_end_day },
  { value: 'week', hours: 168, label: m.customers_hold_end_week },
  { value: 'month', hours: 720, label: m.customers_hold_end_month },
] as const;

export function PlaceHoldDialog({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { run, isPending } = useAdminAction('placeHold');
  const [kinds, setKinds] = useState<readonly HoldKind[]>([]);
  const [endName, setEndName] = useState<string>(ENDS[0].value);
  /** The end is computed from this time, which is fixed when it is chosen, so that a repeat sends the same request. */
  const [chosenAtMs, setChosenAtMs] = useState(() => Date.now());
  const end = ENDS.find(({ value }) => value === endName) ?? ENDS[0];
  const chosen = HOLD_KINDS.filter((kind) => kinds.includes(kind));
  return (
    <ActionDialog
      title={m.customers_hold_title()}
      effect={
        chosen.length === 0
          ? m.customers_hold_effect_none()
          : m.customers_hold_effect({ kinds: kindsText(chosen).toLowerCase(), end: end.label() })
      }
      actLabel={m.customers_hold()}
      isDanger
      doneText={m.customers_hold_done()}
      disabledReason={chosen.length === 0 ? m.customers_hold_reason_kinds() : undefined}
      isPending={isPending}
      run={(reason) =>
        run({
          params: { uuid },
          body: {
            kinds: [...chosen],
            reason,
            ...(end.hours !== undefined && {
              endsAt: new Date(chosenAtMs + end.hours * HOUR_MS).toISOString(),
            }),
          },
        })
      }
      onClose={onClose}
    >
      <HoldKindChoice kinds={kinds} onChange={setKinds} />
      <DenseSelect
        label={m.customers_hold_ends()}
        value={endName}
        onValueChange={(next) => {
          setEndName(next);
          setChosenAtMs(Date.now());
        }}
        options={ENDS.map(({ value, label }) => ({ value, label: label() }))}
      />
    </ActionDialog>
  );
}

interface HoldKindChoiceProps {
  kinds: readonly HoldKind[];
  onChange: (kinds: readonly HoldKind[]) => void;
}

export function HoldKindChoice({ kinds, onChange }: HoldKindChoiceProps) {
  const toggle = (kind: HoldKind, isOn: boolean): void =>
    onChange(isOn ? [...kinds, kind] : kinds.filter((other) => other !== kind));
  return (
    <fieldset>
      <legend className="text-caption text-ink-quiet font-semibold">
        {m.customers_hold_kinds()}
      </legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))]">
        {HOLD_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            isChecked={kinds.includes(kind)}
            onCheckedChange={(isOn) => toggle(kind, isOn)}
          >
            <span className="text-dense">{HOLD_KIND_TITLES[kind]()}</span>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

export function ReleaseDialog(props: { uuid: string; hold: Hold; onClose: () => void }) {
  const { uuid, hold, onClose } = props;
  const { run, isPending } = useAdminAction('releaseHold');
  return (
    <ActionDialog
      title={m.customers_hold_release_title()}
      effect={
        <>
          {m.customers_hold_release_effect({ kinds: kindsText(hold.kinds).toLowerCase() })}
          {hold.cause !== 'staff' && <> {m.customers_hold_release_vote()}</>}
        </>
      }
      actLabel={m.customers_hold_release()}
      doneText={m.customers_hold_release_done()}
      isPending={isPending}
      run={(reason) => run({ params: { uuid, id: hold.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
