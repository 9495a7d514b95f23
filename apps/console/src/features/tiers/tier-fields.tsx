import { TIER_NOTE_LENGTH_MAX, TIER_TITLE_LENGTH_MAX } from '@athos/domain/tiers';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import { DenseField, DenseText } from '../../kit/dense-field.tsx';
import { DenseIconButton } from '../../kit/icon-button.tsx';
import { fullReason, withNewTier, type TierDraft, type TierFaults } from './tier-draft.ts';

interface TierFieldsProps {
  drafts: readonly TierDraft[];
  faults: TierFaults;
  /** The ids of tiers to which offers or campaigns refer. */
  named: ReadonlySet<number>;
  onChange: (drafts: readonly TierDraft[]) => void;
}

/** All tiers, highest first. A tier keeps its position among the others; only its threshold changes. */
export function TierFields({ drafts, faults, named, onChange }: TierFieldsProps) {
  const full = fullReason(drafts);
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-dense text-ink-quiet max-w-column">{m.ladder_edit_lead()}</p>
      <Button
        variant="quiet"
        isDense
        disabledReason={full}
        onClick={() => onChange(withNewTier(drafts, 0))}
      >
        {m.ladder_add()}
      </Button>
      {drafts.map((draft, index) => (
        <TierFieldset
          key={draft.key}
          draft={draft}
          faults={faults.get(draft.key) ?? {}}
          removeReason={named.has(draft.key) ? m.ladder_remove_named() : undefined}
          fullReason={full}
          onChange={(part) => onChange(drafts.with(index, { ...draft, ...part }))}
          onAdd={() => onChange(withNewTier(drafts, index + 1))}
          onRemove={() => onChange(drafts.toSpliced(index, 1))}
        />
      ))}
    </div>
  );
}

interface TierFieldsetProps {
  draft: TierDraft;
  faults: { readonly title?: string; readonly amount?: string; readonly color?: string };
  removeReason: string | undefined;
  fullReason: string | undefined;
  onChange: (part: Partial<TierDraft>) => void;
  onAdd: () => void;
  onRemove: () => void;
}

function TierFieldset(props: TierFieldsetProps) {
  const { draft, faults, removeReason, onChange } = props;
  const title = draft.title.trim() || m.ladder_tier_new();
  return (
    <fieldset className="border-line rounded-small flex w-full min-w-0 flex-col gap-3 border p-3">
      <legend className="text-caption text-ink-quiet px-1 font-semibold">{title}</legend>
      <div className="small:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)] grid gap-3">
        <DenseField
          label={m.ladder_tier_title()}
          value={draft.title}
          onValueChange={(value) => onChange({ title: value })}
          maxLength={TIER_TITLE_LENGTH_MAX}
          error={faults.title}
        />
        <DenseField
          label={m.ladder_tier_amount()}
          inputMode="decimal"
          value={draft.amount}
          onValueChange={(amount) => onChange({ amount })}
          error={faults.amount}
        />
        <div className="flex items-start gap-2">
          <DenseField
            label={m.ladder_tier_color()}
            value={draft.color}
            onValueChange={(color) => onChange({ color: color.trim().toLowerCase() })}
            maxLength={7}
            spellCheck={false}
            error={faults.color}
          />
          <input
            type="color"
            aria-label={m.ladder_tier_color_pick({ title })}
            className="control rounded-dense inset-ring-line-strong bg-surface mt-5 shrink-0 cursor-pointer p-1 inset-ring"
            value={/^#[0-9a-f]{6}$/.test(draft.color) ? draft.color : '#000000'}
            onChange={(event) => onChange({ color: event.target.value })}
          />
        </div>
      </div>
      <DenseText
        label={m.ladder_tier_note()}
        rows={2}
        value={draft.note}
        onValueChange={(note) => onChange({ note })}
        maxLength={TIER_NOTE_LENGTH_MAX}
      />
      <div className="flex flex-wrap items-center gap-2">
        {removeReason !== undefined && (
          <p className="text-caption text-ink-quiet">{removeReason}</p>
        )}
        <span className="ml-auto flex flex-wrap gap-1">
          <DenseIconButton
            label={m.ladder_add_below({ title })}
            icon={<Plus size={16} aria-hidden />}
            disabled={props.fullReason !== undefined}
            onClick={props.onAdd}
          />
          <DenseIconButton
            label={m.ladder_remove({ title })}
            icon={<Trash size={16} aria-hidden />}
            disabled={removeReason !== undefined}
            onClick={props.onRemove}
          />
        </span>
      </div>
    </fieldset>
  );
}
