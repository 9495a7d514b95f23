import { ApiError } from '@athos/client/errors';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { CardSkeletons, CategoryCards } from '@athos/ui/layout/category-cards';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { plainText } from '@athos/ui/text/markdown';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Screen } from '@athos/ui/layout/screen';
import { SearchBox } from '@athos/ui/fields/search-box';
import { useQuery } from '@tanstack/react-query';
import PackageOpen from 'lucide-react/icons/package-open';
import SearchX from 'lucide-react/icons/search-x';
import { useDeferredValue, useId, useState, type ReactNode } from 'react';
import { useParams } from 'react-router';
import {
  categoryQuery,
  useCategoryHead,
  type Category,
  type CategoryHead,
} from '../../api/categories.ts';
import { paths } from '../../routes/paths.ts';
import { addressId } from './address-id.ts';
import { OfferGrid } from './offer-grid.tsx';

/** Enough to fill a phone's screen. */
const SKELETON_CARD_COUNT = 8;
/** Pictures visible on a phone when the screen opens. */
const FIRST_PICTURE_COUNT = 2;

/** Spec 2 `/app/marketplace/categories/{id}`: the categories and offers in one category. */
export function CategoryScreen() {
  const id = addressId(useParams()['id']);
  return id === undefined ? <UnknownCategory /> : <CategoryOf key={id} id={id} />;
}

function CategoryOf({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(categoryQuery(id));
  // Rendering late data in slices too keeps input responsive.
  const category = useDeferredValue(data);
  const [search, setSearch] = useState('');
  const head = useCategoryHead(id);
  if (error instanceof ApiError && error.status === 404) return <UnknownCategory />;
  const { title, parentId }: CategoryHead = category ??
    head ?? { title: m.marketplace_title(), parentId: undefined };
  return (
    <Screen
      title={title}
      backTo={parentId === undefined ? paths.home : paths.category(parentId)}
      search={
        <SearchBox
          value={search}
          onValueChange={setSearch}
          label={m.marketplace_search_label({ title })}
        />
      }
      isLoading={category === undefined && error === null}
      width="full"
    >
      {category !== undefined ? (
        <CategoryContent category={category} search={search} onSearchClear={() => setSearch('')} />
      ) : error === null ? (
        <CardSkeletons count={SKELETON_CARD_COUNT} label={m.marketplace_category_loading()} />
      ) : (
        <FailureNotice text={m.marketplace_category_failed()} onTryAgain={() => void refetch()} />
      )}
    </Screen>
  );
}

function UnknownCategory() {
  return (
    <Screen title={m.marketplace_title()} backTo={paths.home}>
      <EmptyState
        icon={<SearchX size={28} />}
        title={m.marketplace_category_unknown()}
        text={m.marketplace_category_unknown_text()}
        action={<ButtonLink to={paths.home}>{m.marketplace_to_marketplace()}</ButtonLink>}
      />
    </Screen>
  );
}

interface CategoryContentProps {
  category: Category;
  search: string;
  onSearchClear: () => void;
}

function CategoryContent({ category, search, onSearchClear }: CategoryContentProps) {
  const { title } = category;
  const children = matchingTitle(category.children, search, (child) => child.title);
  const offers = matchingTitle(category.offers, search, (offer) => plainText(offer.title));
  if (category.children.length + category.offers.length === 0) {
    return (
      <EmptyState
        icon={<PackageOpen size={28} />}
        title={m.marketplace_category_empty({ title })}
        action={<ButtonLink to={paths.home}>{m.marketplace_to_marketplace()}</ButtonLink>}
      />
    );
  }
  return (
    <>
      {/* Always rendered, so that screen readers announce its text while the user types. */}
      <div role="status" className="empty:absolute">
        {children.length + offers.length === 0 && (
          <EmptyState
            icon={<SearchX size={28} />}
            title={m.marketplace_search_none({ title })}
            action={
              <Button variant="quiet" onClick={onSearchClear}>
                {m.marketplace_search_clear()}
              </Button>
            }
          />
        )}
      </div>
      <CategoryLists title={title} subcategories={children} offers={offers} />
    </>
  );
}

interface CategoryListsProps {
  title: string;
  subcategories: Category['children'];
  offers: Category['offers'];
}

function CategoryLists({ title, subcategories, offers }: CategoryListsProps) {
  const firstPictureCount = Math.max(0, FIRST_PICTURE_COUNT - subcategories.length);
  return (
    <>
      {subcategories.length > 0 && (
        <Part heading={m.marketplace_subcategories({ title })}>
          <CategoryCards
            categories={subcategories}
            addressOf={paths.category}
            firstPictureCount={FIRST_PICTURE_COUNT}
          />
        </Part>
      )}
      {offers.length > 0 && (
        <Part heading={m.marketplace_offers({ title })}>
          <OfferGrid offers={offers} firstPictureCount={firstPictureCount} />
        </Part>
      )}
    </>
  );
}

/** A section whose heading is only for screen readers. Its pictures show what it contains. */
function Part(props: { heading: string; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="sr-only">
        {props.heading}
      </h2>
      {props.children}
    </section>
  );
}

function matchingTitle<T>(
  items: readonly T[],
  search: string,
  wordsOf: (item: T) => string,
): readonly T[] {
  const sought = search.trim().toLowerCase();
  if (sought === '') return items;
  return items.filter((item) => wordsOf(item).trim().toLowerCase().includes(sought));
}
