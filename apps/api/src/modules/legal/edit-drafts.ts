/** Drafting the next version of a legal text. Each edit is a write of the console, in its transaction. */
import type { LegalKind } from '@athos/contract/legal';
import { legalFault } from '@athos/domain/legal-text';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import { requireVersion } from '../../platform/console/versions.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  countDrafts,
  deleteDraft,
  insertDraft,
  isLabelTaken,
  lockTexts,
  selectText,
  updateDraft,
} from './legal.sql.ts';
import { presentText, type PresentDeps } from './present-texts.ts';
import { isBuiltInLabel } from './texts-in-force.ts';

type EditDeps = PresentDeps & { readonly clock: Clock };
type EditAct = Pick<ActInput, 'tx' | 'staff' | 'record'>;

interface DraftText {
  readonly label: string;
  readonly body: string;
}

/** More drafts than anybody works on at a time. */
const DRAFTS_MAX = 20;

const FAULTS = {
  no_intro: 'Begin with a paragraph before the first heading.',
  no_sections: 'Write at least one heading: a line that begins with ##.',
  empty_section: 'Each heading needs a paragraph after it.',
  long_heading: 'A heading has at most 120 characters.',
} as const;

/** Checks the text and its label. Throws `invalid_request` and `legal_text_exists`. */
async function requireGood(
  tx: Tx,
  { kind, label, body }: DraftText & { readonly kind: LegalKind },
  exceptId?: number,
): Promise<void> {
  const fault = legalFault(body);
  if (fault !== undefined) throw new AppError('invalid_request', { detail: FAULTS[fault] });
  if (isBuiltInLabel(kind, label) || (await isLabelTaken(tx, { kind, label, exceptId }))) {
    throw new AppError('legal_text_exists', { detail: 'Customers accept a version by its name.' });
  }
}

/** Throws `not_found` and `legal_text_published`. */
export async function requireDraft(tx: Tx, id: number) {
  const text = await selectText(tx, id);
  if (text === undefined) throw new AppError('not_found');
  if (text.publishedAt !== null) {
    throw new AppError('legal_text_published', {
      detail: 'Publish a correction as a new version.',
    });
  }
  return text;
}

export async function createDraft(
  deps: EditDeps,
  { tx, staff, record }: EditAct,
  text: DraftText & { readonly kind: LegalKind },
) {
  await lockTexts(tx);
  await requireGood(tx, text);
  if ((await countDrafts(tx)) >= DRAFTS_MAX) throw new AppError('legal_texts_full');
  const id = await insertDraft(tx, { ...text, by: staff.staffId, at: dateOf(deps.clock) });
  await record({ subjectId: String(id), after: { kind: text.kind, label: text.label } });
  return presentText(deps, tx, id);
}

export async function editDraft(
  deps: EditDeps,
  { tx, staff, record, version }: EditAct & { readonly version: number },
  id: number,
  text: DraftText,
) {
  await lockTexts(tx);
  const { kind, label } = await requireDraft(tx, id);
  requireVersion(version, await presentText(deps, tx, id));
  await requireGood(tx, { kind, ...text }, id);
  await updateDraft(tx, id, { ...text, by: staff.staffId, at: dateOf(deps.clock) });
  await record({
    subjectId: String(id),
    before: { label, version },
    after: { label: text.label, version: version + 1 },
  });
  return presentText(deps, tx, id);
}

export async function discardDraft({ tx, record }: EditAct, id: number): Promise<void> {
  await lockTexts(tx);
  const { kind, label } = await requireDraft(tx, id);
  await deleteDraft(tx, id);
  await record({ subjectId: String(id), before: { kind, label } });
}
