/** The fields that a change affects, before and after. Unchanged fields are left out if both sides are known. */
import { useValue } from '@athos/app-core/value';
import type { Asset } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { inWords } from './in-words.ts';
import { moneyText } from './money.tsx';
import { timeZone } from '../state/time-zone.ts';
import { roleTitle } from './permission.ts';
import { momentText } from './time.tsx';

interface DifferenceProps {
  before: unknown;
  after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Amounts are compared in the smallest unit of their asset, which the field's name states. */
function assetOf(name: string): Asset | undefined {
  if (/cents$/i.test(name)) return 'USD';
  return /^(tokens|owed|amount_of_a_claim)$|token_?amount$|micro_?ath$/i.test(name)
    ? 'ATH'
    : undefined;
}

const isWhole = (value: unknown): value is string | number =>
  (typeof value === 'string' || typeof value === 'number') && /^-?\d+$/.test(String(value));

/** Whether a field holds a code, which people read in words. */
const isCode = (name: string): boolean => /^(state|status|kind|phase|display_?type)$/i.test(name);
const isRole = (name: string): boolean => /^roles?(_?ids?)?$/i.test(name);
const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

function wordsOf(name: string, text: string, zone: string): string {
  if (isRole(name)) return roleTitle(text);
  if (isCode(name)) return inWords(text);
  return isMoment(text) ? momentText(text, zone) : text;
}

/** Formats amounts with their unit, times in the programme's zone and lists with separators; other values as JSON. */
function valueText(name: string, value: unknown, zone: string): string {
  const asset = assetOf(name);
  if (asset !== undefined && isWhole(value)) return moneyText(String(value), asset);
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => valueText(name, item, zone)).join(', ');
  if (typeof value === 'boolean') return value ? m.common_yes() : m.common_no();
  return typeof value === 'string' ? wordsOf(name, value, zone) : JSON.stringify(value);
}

export function Difference({ before, after }: DifferenceProps) {
  const zone = useValue(timeZone);
  const [old, present] = [fieldsOf(before), fieldsOf(after)];
  const textOf = (fields: Fields, name: string): string => valueText(name, fields[name], zone);
  const names = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter(
    (name) => textOf(old, name) !== textOf(present, name),
  );
  if (names.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.console_difference_none()}</p>;
  }
  return (
    <div className="@container/difference rounded-small inset-ring-line inset-ring">
      <table className="text-dense @max-[26rem]/difference:block w-full border-collapse text-left">
        <thead className="@max-[26rem]/difference:sr-only">
          <tr className="text-caption text-ink-quiet border-line border-b">
            <th scope="col" className="h-9 px-3 font-semibold">
              {m.console_difference_field()}
            </th>
            <th scope="col" className="px-3 font-semibold">
              {m.console_difference_before()}
            </th>
            <th scope="col" className="px-3 font-semibold">
              {m.console_difference_after()}
            </th>
          </tr>
        </thead>
        <tbody className="divide-line @max-[26rem]/difference:block divide-y">
          {names.map((name) => (
            <tr
              key={name}
              className="@max-[26rem]/difference:flex @max-[26rem]/difference:flex-col align-top"
            >
              <th
                scope="row"
                className="text-caption text-ink-quiet @max-[26rem]/difference:w-full w-1/4 px-3 py-2 font-normal wrap-anywhere"
              >
                {inWords(name)}
              </th>
              <td className="px-3 py-2 wrap-anywhere">
                {name in old && (
                  <del className="bg-danger-surface text-danger rounded-dense px-1.5 py-0.5 no-underline">
                    {textOf(old, name) || m.console_difference_empty()}
                  </del>
                )}
              </td>
              <td className="px-3 py-2 wrap-anywhere">
                {name in present && (
                  <ins className="bg-success-surface text-success rounded-dense px-1.5 py-0.5 no-underline">
                    {textOf(present, name) || m.console_difference_empty()}
                  </ins>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
