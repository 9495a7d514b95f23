import type { ReactNode } from 'react';
import { Link } from '../primitives/link.tsx';
import { Picture } from '../primitives/picture.tsx';
import type { PictureProps } from '../primitives/picture.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';

export interface CategoryCardProps {
  to: string;
  title: string;
  description: string;
  image: Pick<PictureProps, 'sources' | 'src'>;
  /** `grid`: cards side by side. `row` and `list`: lines, large and small. `featured`: the full width. */
  displayType: 'row' | 'grid' | 'featured' | 'list';
  /** Visible when the screen opens. */
  isFirst?: boolean;
}

/**
 * Two columns on a phone, three from 640 px. Wider cards span several, and small ones fill the gaps. A line spans the full
 * width unless another line is beside it, because a tall card beside it would stretch it.
 */
export const cardGridClass = 'grid grid-flow-row-dense grid-cols-2 gap-3 small:grid-cols-6';
export const cardClass =
  'rounded-medium bg-surface shadow-card inset-ring-line flex overflow-hidden inset-ring';
/** Hover and press effects of a card that is a link. */
export const cardLinkClass =
  'transition duration-150 ease-out hover:bg-sunken active:scale-[0.99] -outline-offset-3';
export const CARD_SPANS = {
  third: 'small:col-span-2',
  half: 'line col-span-2 small:col-span-6 small:has-[+.line]:col-span-3 small:[.line+&]:col-span-3',
  full: 'col-span-2 small:col-span-6',
} as const;
/** The displayed width of a card of each span, as the `sizes` of its picture. */
export const CARD_SIZES = {
  third: '(min-width: 56.25rem) 14rem, (min-width: 40rem) 33vw, 50vw',
  half: '(min-width: 56.25rem) 22rem, (min-width: 40rem) 50vw, 100vw',
  full: '(min-width: 56.25rem) 45rem, 100vw',
} as const;

export function CardGrid(props: { label?: string; children: ReactNode }) {
  return (
    <ul aria-label={props.label} className={cardGridClass}>
      {props.children}
    </ul>
  );
}

interface Look extends Pick<PictureProps, 'ratio' | 'sizes'> {
  readonly span: keyof typeof CARD_SPANS;
  readonly card: string;
  readonly picture: string;
  readonly words: string;
  readonly title: string;
  readonly description: string;
}

const LARGE_TITLE = 'font-display text-lead font-bold text-balance';
const SMALL_TITLE = 'text-body font-semibold text-balance';

const LOOKS: Record<CategoryCardProps['displayType'], Look> = {
  grid: {
    span: 'third',
    ratio: 'card',
    sizes: CARD_SIZES.third,
    card: 'flex-col',
    picture: '',
    words: 'px-3.5 py-3',
    title: SMALL_TITLE,
    description: 'line-clamp-2',
  },
  featured: {
    span: 'full',
    ratio: 'wide',
    sizes: CARD_SIZES.full,
    card: 'flex-col',
    picture: '',
    words: 'p-4',
    title: LARGE_TITLE,
    description: 'line-clamp-2',
  },
  row: {
    span: 'half',
    ratio: 'square',
    sizes: '7rem',
    card: 'items-center',
    picture: 'w-28',
    words: 'px-3.5 py-2',
    title: LARGE_TITLE,
    description: 'line-clamp-2',
  },
  list: {
    span: 'half',
    ratio: 'square',
    sizes: '4rem',
    card: 'items-center',
    picture: 'rounded-small my-2 ml-2 w-14',
    words: 'px-3.5 py-2',
    title: SMALL_TITLE,
    description: 'truncate',
  },
};

/** A category in its display type. The whole card is a link. Put it into `CardGrid`. */
export function CategoryCard(props: CategoryCardProps) {
  const { to, title, description, image, isFirst = false } = props;
  const look = LOOKS[props.displayType];
  return (
    <li className={`flex ${CARD_SPANS[look.span]}`}>
      <Link to={to} className={`${cardClass} ${cardLinkClass} w-full ${look.card}`}>
        <div className={`shrink-0 overflow-hidden ${look.picture}`}>
          <Picture {...image} sizes={look.sizes} ratio={look.ratio ?? 'card'} isFirst={isFirst} />
        </div>
        <div className={`flex min-w-0 grow flex-col gap-0.5 ${look.words}`}>
          <h3 className={look.title}>{title}</h3>{' '}
          <span className={`text-caption text-ink-quiet ${look.description}`}>{description}</span>
        </div>
      </Link>
    </li>
  );
}

/** Placeholders for `count` cards, announced once. */
export function CardSkeletons(props: { count: number; label: string }) {
  return (
    <div role="status" aria-label={props.label} className={cardGridClass}>
      {Array.from({ length: props.count }, (_, index) => (
        <div key={index} className={`${cardClass} ${CARD_SPANS.third} flex-col`}>
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
