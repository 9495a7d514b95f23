/** The form that adds or changes a category. */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState, type ReactNode } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseSelect, DenseText } from '../../kit/dense-field.tsx';
import { PicturePicker } from '../../kit/picture-picker.tsx';
import { Page } from '../../kit/page.tsx';
import { CATEGORY_DISPLAYS, optionsOf, type Category } from './catalogue-words.ts';

interface CategoryFormProps {
  category: Category | undefined;
  categories: readonly Category[];
  onDone: () => void;
}

type Draft = Pick<Category, 'title' | 'description' | 'bannerUrl' | 'pictureId' | 'displayType'>;
type Outcome = ActionOutcome<'createCategory' | 'changeCategory'>;

const NEW: Draft = {
  title: '',
  description: '',
  bannerUrl: '',
  pictureId: null,
  displayType: 'grid',
};

const draftOf = ({ title, description, bannerUrl, pictureId, displayType }: Category): Draft => ({
  title,
  description,
  bannerUrl,
  pictureId,
  displayType,
});

const parentIdOf = (text: string): number | null =>
  text === '' ? null : Number.parseInt(text, 10);

export function CategoryForm({ category, categories, onDone }: CategoryFormProps) {
  const create = useAdminAction('createCategory');
  const change = useAdminAction('changeCategory');
  const [draft, setDraft] = useState(category === undefined ? NEW : draftOf(category));
  const [parent, setParent] = useState('');
  const [version, setVersion] = useState(category?.version);
  const [failure, setFailure] = useState<Outcome>();
  const isPending = create.isPending || change.isPending;

  async function save(over: number | undefined): Promise<void> {
    setFailure(undefined);
    const outcome: Outcome =
      category === undefined
        ? await create.run({ body: { ...draft, parentId: parentIdOf(parent) } })
        : await change.run({ params: { id: category.id }, body: draft }, over);
    if (outcome.kind !== 'done') return setFailure(outcome);
    toasts.show('success', m.console_saved(), 3000);
    onDone();
  }

  function handleTake(taken: Category): void {
    setDraft(draftOf(taken));
    setVersion(taken.version);
    setFailure(undefined);
  }

  const present = failure?.kind === 'conflict' ? (failure.present as Category) : undefined;
  return (
    <Page title={category?.title ?? m.catalogue_category_new()}>
      <form
        className="max-w-column flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save(version);
        }}
      >
        {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
        {present !== undefined && (
          <Conflict
            present={draftOf(present)}
            typed={draft}
            isPending={isPending}
            onKeep={() => void save(present.version)}
            onTake={() => handleTake(present)}
          />
        )}
        <CategoryFields draft={draft} failure={failure} onChange={setDraft}>
          {category === undefined && (
            <DenseSelect
              label={m.catalogue_category_parent()}
              value={parent}
              onValueChange={setParent}
              options={parentOptions(categories)}
            />
          )}
        </CategoryFields>
        <div className="flex flex-wrap items-baseline gap-2 pb-8">
          <Button
            type="submit"
            isDense
            isPending={isPending}
            disabledReason={draft.title.trim() === '' ? m.catalogue_missing_title() : undefined}
          >
            {m.console_save()}
          </Button>
          <Button variant="quiet" isDense onClick={onDone}>
            {m.common_cancel()}
          </Button>
        </div>
      </form>
    </Page>
  );
}

const parentOptions = (categories: readonly Category[]) => [
  { value: '', label: m.catalogue_category_top() },
  ...categories
    .filter(({ archivedAt }) => archivedAt === null)
    .map(({ id, title }) => ({ value: String(id), label: title })),
];

interface FieldsProps {
  draft: Draft;
  failure: Outcome | undefined;
  onChange: (draft: Draft) => void;
  /** The place of a new category. */
  children: ReactNode;
}

function CategoryFields({ draft, failure, onChange, children }: FieldsProps) {
  const errors = failure?.kind === 'refused' ? failure.errors : {};
  return (
    <>
      <DenseField
        label={m.catalogue_title()}
        value={draft.title}
        onValueChange={(title) => onChange({ ...draft, title })}
        maxLength={120}
        error={errors['/title']}
      />
      {children}
      <DenseText
        label={m.catalogue_description()}
        value={draft.description}
        onValueChange={(description) => onChange({ ...draft, description })}
        maxLength={500}
      />
      <DenseSelect
        label={m.catalogue_display()}
        value={draft.displayType}
        onValueChange={(value) =>
          onChange({ ...draft, displayType: value as Draft['displayType'] })
        }
        options={optionsOf(CATEGORY_DISPLAYS)}
      />
      <PicturePicker
        label={m.pictures_one()}
        value={draft.pictureId}
        onValueChange={(pictureId) => onChange({ ...draft, pictureId })}
        error={errors['/pictureId']}
      />
      {draft.pictureId === null && (
        <DenseField
          label={m.catalogue_picture()}
          hint={m.catalogue_picture_hint()}
          value={draft.bannerUrl}
          onValueChange={(bannerUrl) => onChange({ ...draft, bannerUrl })}
          error={errors['/bannerUrl']}
        />
      )}
    </>
  );
}
