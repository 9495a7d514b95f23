/** The findings of an import in words. */
import type { OfferImportFinding } from '@athos/contract/console/offer-imports';
import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { fromWire } from '../../api/naming.ts';
import type { Tone } from '../../kit/badge.tsx';
import type { Choices, OfferFields } from './catalogue-words.ts';
import { shownFields } from './offer-facts.tsx';

export type Import = AdminAnswer<'offerImport'>;
export type ImportRow = RowOf<'offerImportRows'>;

export const FINDINGS: Readonly<Record<OfferImportFinding, { title: () => string; tone: Tone }>> = {
  new: { title: m.imports_found_new, tone: 'success' },
  change: { title: m.imports_found_change, tone: 'info' },
  same: { title: m.imports_found_same, tone: 'neutral' },
  fault: { title: m.imports_found_fault, tone: 'danger' },
};

/** Filters by which the list can show only some rows. */
export const SHOWN: Readonly<Record<string, () => string>> = {
  fault: m.imports_found_fault,
  new: m.imports_found_new,
  change: m.imports_found_change,
  same: m.imports_found_same,
  skipped: m.imports_skipped,
  failed: m.imports_failed,
};

export const isUnderWay = (found: Import | undefined): boolean =>
  found?.state === 'waiting' || found?.state === 'running';

const BLANK: OfferFields = {
  categoryId: 0,
  title: '',
  note: '',
  img: '',
  pictureId: null,
  kind: 0,
  displayType: 'standard',
  price: '0',
  priceWindows: [],
  saleStartsAt: null,
  saleEndsAt: null,
  userCountMax: null,
  tierIdMin: null,
  merchantId: null,
};

/** Both sides of a row's changes, by the labels of the form. A new offer has no side before. */
export function changeOf({ before, after }: ImportRow, choices: Choices) {
  const words = (part: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    shownFields({ ...BLANK, ...fromWire(part) }, choices);
  const [old, present] = [words(before), words(after)];
  const labels = Object.keys(present).filter(
    (label) => JSON.stringify(old[label]) !== JSON.stringify(present[label]),
  );
  const pick = (side: Record<string, unknown>) =>
    Object.fromEntries(labels.map((label) => [label, side[label]]));
  const isNew = Object.keys(before).length === 0;
  return { labels, before: isNew ? {} : pick(old), after: pick(present) };
}
