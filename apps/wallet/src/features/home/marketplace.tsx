import { m } from '@athos/messages/messages';
import { CardSkeletons, CategoryCards } from '@athos/ui/layout/category-cards';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { useQuery } from '@tanstack/react-query';
import Store from 'lucide-react/icons/store';
import { useId } from 'react';
import { categoriesQuery } from '../../api/categories.ts';
import { paths } from '../../routes/paths.ts';

const SKELETON_CARD_COUNT = 6;
/** Pictures visible on a phone when the screen opens. */
const FIRST_PICTURE_COUNT = 2;

/** Spec 2: the top-level categories under 'Marketplace', each in its display type and linked to its screen. */
export function Marketplace() {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 pt-2">
      <h2 id={headingId} className="font-display text-title font-bold">
        {m.marketplace_title()}
      </h2>
      <CategoryList />
    </section>
  );
}

function CategoryList() {
  const { data: categories, isError, refetch } = useQuery(categoriesQuery);
  if (categories === undefined && isError) {
    return <FailureNotice text={m.marketplace_failed()} onTryAgain={() => void refetch()} />;
  }
  if (categories === undefined) {
    return <CardSkeletons count={SKELETON_CARD_COUNT} label={m.marketplace_loading()} />;
  }
  if (categories.length === 0) {
    return (
      <EmptyState
        icon={<Store size={28} />}
        title={m.common_empty_title()}
        text={m.marketplace_empty()}
      />
    );
  }
  return (
    <CategoryCards
      categories={categories}
      addressOf={paths.category}
      firstPictureCount={FIRST_PICTURE_COUNT}
    />
  );
}
