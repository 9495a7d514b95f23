import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/button';
import { EmptyState } from '@athos/ui/empty-state';
import { Notice } from '@athos/ui/notice';
import { Skeleton } from '@athos/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import Store from 'lucide-react/icons/store';
import { useId } from 'react';
import { categoriesQuery, type Category } from '../../api/categories.ts';

const SKELETON_CARD_COUNT = 4;
const gridClass = 'small:grid-cols-3 grid grid-cols-2 gap-3';
const cardClass =
  'rounded-medium bg-surface shadow-card inset-ring-line flex flex-col overflow-hidden inset-ring';

/** Spec 2: the top-level categories under 'Marketplace'. */
export function Marketplace() {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 pt-2">
      <h2 id={headingId} className="font-display text-title font-bold">
        {m.wallet_marketplace_title()}
      </h2>
      <CategoryList />
    </section>
  );
}

function CategoryList() {
  const { data: categories, isError, refetch } = useQuery(categoriesQuery);
  if (categories === undefined && isError) {
    return (
      <Notice
        kind="danger"
        action={
          <Button variant="quiet" isCompact onClick={() => void refetch()}>
            {m.common_try_again()}
          </Button>
        }
      >
        {m.wallet_marketplace_failed()}
      </Notice>
    );
  }
  if (categories === undefined) return <CategorySkeletons />;
  if (categories.length === 0) {
    return (
      <EmptyState
        icon={<Store size={28} />}
        title={m.common_empty_title()}
        text={m.wallet_marketplace_empty()}
      />
    );
  }
  return (
    <ul className={gridClass}>
      {categories.map((category) => (
        <CategoryCard key={category.id} category={category} />
      ))}
    </ul>
  );
}

function CategoryCard({ category }: { category: Category }) {
  return (
    <li className={cardClass}>
      <div className="bg-sunken aspect-4/3 w-full">
        {category.banner_url !== '' && (
          <img
            src={category.banner_url}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
        )}
      </div>
      <div className="flex flex-col gap-0.5 px-3.5 py-3">
        <h3 className="text-body font-semibold text-balance">{category.title}</h3>
        <p className="text-caption text-ink-quiet line-clamp-2">{category.description}</p>
      </div>
    </li>
  );
}

function CategorySkeletons() {
  return (
    <div role="status" aria-label={m.wallet_marketplace_loading()} className={gridClass}>
      {Array.from({ length: SKELETON_CARD_COUNT }, (_, index) => (
        <div key={index} className={cardClass}>
          <Skeleton className="aspect-4/3 w-full" />
          <div className="flex flex-col gap-2 px-3.5 py-3.5">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-3 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
