/** The tree of categories, with the selected one beside it. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import { ExportButton } from '../../kit/export-button.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { useKey } from '../../kit/keys.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import { CategoryDetail } from './category-detail.tsx';
import { CategoryForm } from './category-form.tsx';
import { CategoryTree } from './category-tree.tsx';

export function CategoriesScreen() {
  const { id } = useParams();
  const { item, failure, reload } = useAdminItem('consoleCategories', {});
  const [isAdding, setIsAdding] = useState(false);
  const navigate = useNavigate();
  const lack = useLack();
  const close = (): void => void navigate(paths.categories);
  useKey('Escape', id === undefined ? undefined : m.console_keys_close(), close);
  if (isAdding) {
    return (
      <CategoryForm
        category={undefined}
        categories={item?.items ?? []}
        onDone={() => setIsAdding(false)}
      />
    );
  }
  const list = (
    <Page
      title={m.catalogue_categories()}
      count={item === undefined ? undefined : String(item.items.length)}
      actions={
        <>
          <ExportButton name="categories" filters={{}} count={undefined} />
          <Button
            isDense
            icon={<Plus size={16} aria-hidden />}
            disabledReason={lack('catalogue.edit')}
            onClick={() => setIsAdding(true)}
          >
            {m.catalogue_category_new()}
          </Button>
        </>
      }
    >
      {failure !== undefined && item === undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item?.items.length === 0 && (
        <EmptyState title={m.console_list_empty_title()} text={m.catalogue_category_empty()} />
      )}
      {item !== undefined && item.items.length > 0 && (
        <CategoryTree categories={item.items} openId={id} />
      )}
    </Page>
  );
  return (
    <ListDetail
      list={list}
      detail={
        id === undefined ? undefined : (
          <CategoryDetail key={id} id={id} categories={item?.items ?? []} />
        )
      }
    />
  );
}
