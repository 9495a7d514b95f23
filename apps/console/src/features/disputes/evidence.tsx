/** The evidence for the bank: texts and files. Editable while the bank waits for it, read-only afterwards. */
import { EVIDENCE_CHARACTERS_MAX, EVIDENCE_TEXT_MAX } from '@athos/contract/console/evidence';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseText } from '../../kit/dense-field.tsx';
import { Section } from '../../kit/detail.tsx';
import { figures } from '../../kit/figures.ts';
import { useLack } from '../../kit/permission.ts';
import type { Dispute } from './dispute-screen.tsx';
import { TEXT_TITLES, type EvidenceTexts, type TextField } from './dispute-words.ts';
import type { EvidenceDraft } from './evidence-draft.ts';
import { EvidenceFiles } from './evidence-files.tsx';

interface Group {
  readonly title: () => string;
  /** Single-line fields. */
  readonly lines: readonly TextField[];
  readonly texts: readonly TextField[];
}

const GROUPS: readonly Group[] = [
  {
    title: m.disputes_evidence_group_sale,
    lines: ['customerName', 'customerEmailAddress', 'serviceDate'],
    texts: ['productDescription', 'accessActivityLog'],
  },
  {
    title: m.disputes_evidence_group_terms,
    lines: [],
    texts: [
      'refundPolicyDisclosure',
      'refundRefusalExplanation',
      'cancellationPolicyDisclosure',
      'cancellationRebuttal',
    ],
  },
  {
    title: m.disputes_evidence_group_other,
    lines: [],
    texts: ['duplicateChargeExplanation', 'uncategorizedText'],
  },
];

const FIELDS = GROUPS.flatMap(({ lines, texts }) => [...lines, ...texts]);

interface EvidenceProps {
  dispute: Dispute;
  draft: EvidenceDraft;
}

export function Evidence(props: EvidenceProps) {
  const { dispute, draft } = props;
  const lack = useLack();
  const canWrite = dispute.awaitsEvidence && lack('disputes.manage') === undefined;
  return (
    <>
      <Section title={m.disputes_evidence()}>
        {canWrite ? <Form {...props} /> : <Written evidence={dispute.evidence} />}
      </Section>
      <EvidenceFiles dispute={dispute} canWrite={canWrite} onAdded={draft.noteVersion} />
    </>
  );
}

function Written({ evidence }: Pick<Dispute, 'evidence'>) {
  const fields = FIELDS.filter((field) => (evidence[field] ?? '') !== '');
  if (fields.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.disputes_evidence_none()}</p>;
  }
  return (
    <dl className="text-dense flex max-w-[72ch] flex-col gap-4">
      {fields.map((field) => (
        <div key={field} className="flex flex-col gap-1">
          <dt className="text-caption text-ink-quiet font-semibold">{TEXT_TITLES[field]()}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">{evidence[field]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The texts by the labels of their fields, for comparing two drafts. */
const titled = (texts: EvidenceTexts): Record<string, string> =>
  Object.fromEntries(FIELDS.map((field) => [TEXT_TITLES[field](), texts[field] ?? '']));

const sumOf = (texts: EvidenceTexts): number =>
  Object.values(texts).reduce((sum, text) => sum + text.length, 0);

function Form({ draft }: EvidenceProps) {
  const { texts, failure, isPending } = draft;
  const present = failure?.kind === 'conflict' ? (failure.present as Dispute) : undefined;
  async function handleSave(over?: number): Promise<void> {
    if (await draft.save(over)) toasts.show('success', m.disputes_saved(), 4000);
  }
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSave();
      }}
    >
      {GROUPS.map((group) => (
        <Fields key={group.title()} group={group} draft={draft} />
      ))}
      {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
      {present !== undefined && (
        <Conflict
          present={titled(present.evidence)}
          typed={titled(texts)}
          isPending={isPending}
          onKeep={() => void handleSave(present.version)}
          onTake={draft.drop}
        />
      )}
      <SaveBar draft={draft} />
    </form>
  );
}

/** Stays in view while one of many fields is edited, unless large text needs the room. */
function SaveBar({ draft }: { draft: EvidenceDraft }) {
  const { texts, isChanged, isPending } = draft;
  const sum = sumOf(texts);
  const isTooLong = sum > EVIDENCE_CHARACTERS_MAX;
  const max = figures(EVIDENCE_CHARACTERS_MAX);
  return (
    <div className="bg-ground border-line sticky bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-t py-3 @max-[14rem]/detail:static">
      <Button
        type="submit"
        variant={isChanged ? 'primary' : 'quiet'}
        isDense
        isPending={isPending}
        isDisabled={!isChanged}
        disabledReason={isTooLong ? m.disputes_evidence_too_long({ max }) : undefined}
      >
        {m.disputes_save()}
      </Button>
      <span role="status" className="text-caption text-ink-quiet tabular">
        {isChanged && <strong className="text-ink">{m.disputes_evidence_unsaved()} · </strong>}
        <span className={classNames(isTooLong && 'text-danger')}>
          {m.disputes_evidence_count({ count: figures(sum), max })}
        </span>
      </span>
    </div>
  );
}

function Fields({ group, draft }: { group: Group; draft: EvidenceDraft }) {
  const { texts, setText } = draft;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="text-dense pb-2 font-semibold">{group.title()}</legend>
      {group.lines.length > 0 && (
        <div className="@min-[40rem]/detail:grid-cols-3 grid gap-3">
          {group.lines.map((field) => (
            <DenseField
              key={field}
              label={TEXT_TITLES[field]()}
              value={texts[field] ?? ''}
              maxLength={EVIDENCE_TEXT_MAX}
              onValueChange={(text) => setText(field, text)}
            />
          ))}
        </div>
      )}
      {group.texts.map((field) => (
        <DenseText
          key={field}
          label={TEXT_TITLES[field]()}
          value={texts[field] ?? ''}
          maxLength={EVIDENCE_TEXT_MAX}
          rows={rowsFor(texts[field])}
          hint={hintOf(field, texts[field])}
          onValueChange={(text) => setText(field, text)}
        />
      ))}
    </fieldset>
  );
}

const ROWS_MIN = 2;
const ROWS_MAX = 12;
const CHARACTERS_PER_ROW = 90;

/** The number of rows that the text fills, so that an empty field is small and a log is readable. */
function rowsFor(text = ''): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / CHARACTERS_PER_ROW)), 0);
  return Math.min(Math.max(lines, ROWS_MIN), ROWS_MAX);
}

function hintOf(field: TextField, text = ''): string | undefined {
  if (text !== '') {
    return m.disputes_field_count({ count: figures(text.length), max: figures(EVIDENCE_TEXT_MAX) });
  }
  return field === 'accessActivityLog' ? m.disputes_field_access_activity_log_hint() : undefined;
}
