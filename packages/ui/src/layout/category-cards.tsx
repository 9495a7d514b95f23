import type { ReactNode } from 'react';
import { classNames } from '../primitives/class-names.ts';
import { Link } from '../primitives/link.tsx';
import { Picture } from '../primitives/picture.tsx';
import type { PictureProps, PictureRatio } from '../primitives/picture.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';
import { CATEGORY_SIZES } from './card-sizes.ts';

interface CategoryCardProps {
  to: string;
  title: string;
  description: string;
  image: Pick<PictureProps, 'sources' | 'src'>;
  /** `grid`: cards side by side. `row` and `list`: lines, large and small. `featured`: the full width. */
  displayType: 'row' | 'grid' | 'featured' | 'list';
  /** The card is visible when the screen opens. */
  isFirst?: boolean;
}

export const cardClass =
  'rounded-medium bg-surface shadow-card inset-ring-line flex overflow-hidden inset-ring';
/** Hover and press effects of a card that is a link. */
export const cardLinkClass =
  'transition duration-150 ease-out hover:bg-sunken active:scale-[0.99] -outline-offset-3';
/** Widths of a card in its list. Slightly less than the column, so that rounding never breaks a line. */
export const CARD_SPANS = {
  column: '@container/card basis-[calc(var(--card-width)-0.1px)]',
  columns: 'grow-2 basis-[min(100%,2*var(--card-width)+0.65rem)]',
  half: '@container/card basis-full @[34rem]/cards:basis-[calc(50%-0.75rem)]',
  full: '@container/card basis-full',
} as const;
/** Height of a picture in a card of one column; it stays the same in a line that is not full. */
export const cardPictureClass = 'h-[calc(var(--card-width)*0.75)]';
/** Picture and text are side by side if the card has a whole line to itself. */
export const columnCardClass = 'flex-col @[30rem]/card:flex-row @[30rem]/card:items-center';
export const columnPictureClass = 'shrink-0 @[30rem]/card:w-(--card-width)';

export function CardGrid(props: { label?: string; children: ReactNode }) {
  return (
    <div className="@container/cards">
      <ul aria-label={props.label} className="card-list *:min-w-0 *:grow">
        {props.children}
      </ul>
    </div>
  );
}

interface Look {
  readonly span: Span;
  readonly ratio: PictureRatio;
  readonly card: string;
  /** Classes of the element around the picture. */
  readonly frame: string;
  readonly picture: string;
  readonly words: string;
  readonly title: string;
}

const LARGE_TITLE = 'font-display text-lead font-bold text-balance';
const SMALL_TITLE = 'text-body font-semibold text-balance';

const LINE_CARD = '@[18rem]/card:flex-row @[18rem]/card:items-center flex-col';

const LOOKS: Record<CategoryCardProps['displayType'], Look> = {
  grid: {
    span: 'column',
    ratio: 'card',
    card: columnCardClass,
    frame: columnPictureClass,
    picture: cardPictureClass,
    words: 'px-3.5 py-3',
    title: SMALL_TITLE,
  },
  featured: {
    span: 'full',
    ratio: 'wide',
    card: 'flex-col',
    frame: 'shrink-0',
    picture: 'max-h-80',
    words: 'p-4',
    title: LARGE_TITLE,
  },
  row: {
    span: 'half',
    ratio: 'square',
    card: LINE_CARD,
    frame: '@[18rem]/card:w-28 w-full shrink-0 self-stretch',
    picture: '@[18rem]/card:aspect-auto @[18rem]/card:h-full @[18rem]/card:min-h-28 aspect-2/1',
    words: 'px-3.5 py-2',
    title: LARGE_TITLE,
  },
  list: {
    span: 'half',
    ratio: 'square',
    card: LINE_CARD,
    frame: 'rounded-small my-2 ml-2 w-14 shrink-0 overflow-hidden',
    picture: '',
    words: 'px-3.5 py-2',
    title: SMALL_TITLE,
  },
};

type Category = CategoryCardProps & { id: number };

interface CategoryCardsProps {
  categories: readonly Omit<Category, 'to' | 'isFirst'>[];
  addressOf: (id: number) => string;
  /** The number of pictures that are visible when the screen opens. */
  firstPictureCount: number;
}

/** Categories in their display types. */
export function CategoryCards({ categories, addressOf, firstPictureCount }: CategoryCardsProps) {
  const alone = aloneInLine(categories.map(({ displayType }) => LOOKS[displayType].span));
  return (
    <CardGrid>
      {categories.map(({ id, ...category }, index) => (
        <CategoryCard
          key={id}
          {...category}
          to={addressOf(id)}
          isFirst={index < firstPictureCount}
          isAlone={alone.has(index)}
        />
      ))}
    </CardGrid>
  );
}

type Span = keyof typeof CARD_SPANS;

/**
 * Indexes of the half cards without another one beside them. They take the whole line, because a column card beside
 * them would stretch them to its height.
 */
export function aloneInLine(spans: readonly Span[]): ReadonlySet<number> {
  const alone = new Set<number>();
  let runStart = 0;
  for (const [index, span] of spans.entries()) {
    if (span !== 'half') runStart = index + 1;
    else if (spans[index + 1] !== 'half' && (index - runStart) % 2 === 0) alone.add(index);
  }
  return alone;
}

/** The whole card is a link. */
function CategoryCard(props: CategoryCardProps & { isAlone: boolean }) {
  const { to, title, description, image, isFirst = false, isAlone } = props;
  const look = LOOKS[props.displayType];
  return (
    <li className={classNames('flex', CARD_SPANS[isAlone ? 'full' : look.span])}>
      <Link to={to} className={classNames(cardClass, cardLinkClass, 'w-full', look.card)}>
        <div className={look.frame}>
          <Picture
            {...image}
            sizes={CATEGORY_SIZES[props.displayType]}
            ratio={look.ratio}
            isFirst={isFirst}
            className={look.picture}
          />
        </div>
        <div className={`flex min-w-0 flex-col gap-0.5 ${look.words}`}>
          <h3 className={look.title}>{title}</h3>{' '}
          <span className="text-caption text-ink-quiet">{description}</span>
        </div>
      </Link>
    </li>
  );
}

/** Placeholders for `count` cards, announced once. */
export function CardSkeletons(props: { count: number; label: string }) {
  return (
    <div role="status" aria-label={props.label} className="@container/cards">
      <div className="card-list *:min-w-0 *:grow">
        {Array.from({ length: props.count }, (_, index) => (
          <div key={index} className={classNames(cardClass, CARD_SPANS.column, 'flex-col')}>
            <Skeleton className={classNames(cardPictureClass, 'w-full')} />
            <div className="flex flex-col gap-2 px-3.5 py-3.5">
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-3 w-4/5" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
