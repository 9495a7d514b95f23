/** One category: its content, and whether customers see it. */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { useKey } from '../../kit/keys.ts';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import { CATEGORY_DISPLAYS, type Category } from './catalogue-words.ts';
import { CategoryForm } from './category-form.tsx';

interface CategoryDetailProps {
  id: string;
  categories: readonly Category[];
}

export function CategoryDetail({ id, categories }: CategoryDetailProps) {
  const read = useAdminItem('consoleCategory', { params: { id } });
  return (
    <DetailOf read={read} kind={m.catalogue_category()} backTo={paths.categories}>
      {(category) => <LoadedCategory category={category} categories={categories} />}
    </DetailOf>
  );
}

type Outcome = ActionOutcome<'archiveCategory' | 'restoreCategory'>;

function LoadedCategory(props: { category: Category; categories: readonly Category[] }) {
  const { category, categories } = props;
  const { id, title, archivedAt } = category;
  const [isEditing, setIsEditing] = useState(false);
  const [failure, setFailure] = useState<Outcome>();
  const archive = useAdminAction('archiveCategory');
  const restore = useAdminAction('restoreCategory');
  const lack = useLack()('catalogue.edit');
  const isArchived = archivedAt !== null;
  useKey('e', lack === undefined ? m.catalogue_category_edit() : undefined, () =>
    setIsEditing(true),
  );
  if (isEditing) {
    return (
      <CategoryForm
        category={category}
        categories={categories}
        onDone={() => setIsEditing(false)}
      />
    );
  }
  async function toggle(): Promise<void> {
    const outcome: Outcome = await (isArchived ? restore : archive).run({ params: { id } });
    setFailure(outcome.kind === 'done' ? undefined : outcome);
    if (outcome.kind === 'done') toasts.show('success', m.console_saved(), 3000);
  }
  return (
    <Detail
      kind={m.catalogue_category()}
      title={title}
      plainTitle={title}
      state={isArchived && <Badge>{m.catalogue_category_archived()}</Badge>}
      actions={
        <>
          <Button
            variant="quiet"
            isDense
            isPending={archive.isPending || restore.isPending}
            disabledReason={lack}
            onClick={() => void toggle()}
          >
            {isArchived ? m.catalogue_category_restore() : m.catalogue_category_archive()}
          </Button>
          <Button isDense disabledReason={lack} onClick={() => setIsEditing(true)}>
            {m.catalogue_category_edit()}
          </Button>
        </>
      }
      backTo={paths.categories}
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <CategoryFacts category={category} />
      <AuditOf type="category" id={String(id)} />
    </Detail>
  );
}

function CategoryFacts({ category }: { category: Category }) {
  const { id, description, displayType, bannerUrl, offerCount } = category;
  return (
    <Facts
      facts={[
        { label: m.catalogue_description(), value: description, isHidden: description === '' },
        { label: m.catalogue_display(), value: CATEGORY_DISPLAYS[displayType]() },
        { label: m.catalogue_picture(), value: bannerUrl, isHidden: bannerUrl === '' },
        {
          label: m.catalogue_offers(),
          value: (
            <ObjectLink to={`${paths.offers}?categoryId=${id}`}>
              {m.catalogue_category_offers({ count: offerCount })}
            </ObjectLink>
          ),
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}
