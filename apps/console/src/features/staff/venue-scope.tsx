/**
 * The venues that a person sees. A person without bound venues sees all, so that must be chosen explicitly, not by leaving a list empty.
 */
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import { DenseField, DenseSelect } from '../../kit/dense-field.tsx';
import { FailureView } from '../../kit/failure.tsx';

/** `undefined` until a choice is made. */
export type VenueScope = 'all' | readonly number[] | undefined;

/** People in other roles work at no venue and see all unless they are bound. The venues of a lead must be chosen. */
const LEAD_ROLE = 'scanner_lead';

/** The value until a choice is made. `held` is the person's current scope. */
export function presentScope(
  roleIds: readonly string[],
  held?: {
    readonly roles: readonly { readonly id: string }[];
    readonly venueIds: readonly number[];
  },
): VenueScope {
  if (held !== undefined && held.venueIds.length > 0) return held.venueIds;
  const isNewLead =
    roleIds.includes(LEAD_ROLE) && held?.roles.some(({ id }) => id === LEAD_ROLE) !== true;
  return isNewLead ? undefined : 'all';
}

export function scopeFault(scope: VenueScope): string | undefined {
  if (scope === undefined) return m.console_staff_venues_reason_scope();
  return scope.length === 0 ? m.console_staff_venues_reason_none() : undefined;
}

/** As in the contract: an empty list means all venues. */
export const scopeVenueIds = (scope: VenueScope): number[] =>
  scope === undefined || scope === 'all' ? [] : [...scope];

interface VenueScopeFieldProps {
  scope: VenueScope;
  onChange: (scope: VenueScope) => void;
}

export function VenueScopeField({ scope, onChange }: VenueScopeFieldProps) {
  const [latest, setLatest] = useState<readonly number[]>(scopeVenueIds(scope));
  const value = scope === undefined || scope === 'all' ? (scope ?? '') : 'some';
  const choose = (venueIds: readonly number[]): void => {
    setLatest(venueIds);
    onChange(venueIds);
  };
  return (
    <div className="flex flex-col gap-3">
      <DenseSelect
        label={m.console_staff_venues()}
        hint={m.console_staff_venues_hint()}
        value={value}
        onValueChange={(next) => onChange(next === 'all' ? 'all' : latest)}
        options={[
          ...(value === '' ? [{ value: '', label: m.console_staff_venues_choose() }] : []),
          { value: 'all', label: m.console_staff_venues_all() },
          { value: 'some', label: m.console_staff_venues_some() },
        ]}
      />
      {value === 'some' && <VenuePicker venueIds={latest} onChange={choose} />}
    </div>
  );
}

/** The number of matches offered besides the chosen ones. With more, typing a word of the name is faster. */
const OFFERED_COUNT = 20;

interface Venue {
  readonly id: number;
  readonly name: string;
}

interface VenuePickerProps {
  venueIds: readonly number[];
  onChange: (venueIds: readonly number[]) => void;
}

/** Venues by name: the chosen ones first, then the matches. The order stays until the search changes, so that no checkbox moves away. */
function VenuePicker({ venueIds, onChange }: VenuePickerProps) {
  const { item, failure, reload } = useAdminItem('venueNames', {});
  const [search, setSearch] = useState<{ word: string; pinned: readonly number[] }>({
    word: '',
    pinned: venueIds,
  });
  if (item === undefined) {
    return failure === undefined ? (
      <Skeleton className="h-40 w-full" />
    ) : (
      <FailureView failure={failure} onRetry={reload} />
    );
  }
  const { shown, hiddenCount } = matchesOf(item.items, search);
  const toggle = (id: number, isChecked: boolean): void =>
    onChange(isChecked ? [...venueIds, id] : venueIds.filter((other) => other !== id));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-caption text-ink-quiet pb-1 font-semibold">
        <span role="status">
          {m.console_staff_venues_count({ count: venueIds.length, total: item.items.length })}
        </span>
      </legend>
      <DenseField
        type="search"
        label={m.console_staff_venues_search()}
        value={search.word}
        onValueChange={(word) => setSearch({ word, pinned: venueIds })}
      />
      <div className="flex max-h-72 flex-col overflow-y-auto">
        {shown.map(({ id, name }) => (
          <Checkbox
            key={id}
            isChecked={venueIds.includes(id)}
            onCheckedChange={(isChecked) => toggle(id, isChecked)}
          >
            <span className="text-dense min-w-0 wrap-anywhere">{name}</span>
          </Checkbox>
        ))}
      </div>
      {hiddenCount > 0 && (
        <p className="text-caption text-ink-quiet">
          {m.console_staff_venues_more({ count: hiddenCount })}
        </p>
      )}
    </fieldset>
  );
}

/** A chosen venue that the signed-in person does not see stays chosen, and is shown by its number. */
function matchesOf(
  venues: readonly Venue[],
  { word, pinned }: { readonly word: string; readonly pinned: readonly number[] },
) {
  const names = new Map(venues.map(({ id, name }) => [id, name]));
  const first = pinned.map((id) => ({ id, name: names.get(id) ?? m.console_staff_venue({ id }) }));
  const sought = word.trim().toLocaleLowerCase();
  const matches = venues.filter(
    ({ id, name }) => !pinned.includes(id) && name.toLocaleLowerCase().includes(sought),
  );
  return {
    shown: [...first, ...matches.slice(0, OFFERED_COUNT)],
    hiddenCount: Math.max(0, matches.length - OFFERED_COUNT),
  };
}
