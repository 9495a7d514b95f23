import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { classNames } from './class-names.tsx';
import { Link } from './link.tsx';
import { Picture } from './picture.tsx';
import type { PictureProps } from './picture.tsx';
import { Skeleton } from './skeleton.tsx';

export interface CategoryCardProps {
  to: string;
  title: string;
  description: string;
  image: Pick<PictureProps, 'sources' | 'src'>;
  /** `grid` stands side by side; `row` and `list` are lines, large and small; `featured` has the width for itself. */
  displayType: 'row' | 'grid' | 'featured' | 'list';
  /** In sight when the screen opens. */
  isFirst?: boolean;
}

/** Two columns on a phone, three from 640 px on; wider cards take more of them, and small ones fill what they leave. */
export const cardGridClass = 'grid grid-flow-row-dense grid-cols-2 gap-3 small:grid-cols-6';
export const cardClass =
  'rounded-medium bg-surface shadow-card inset-ring-line flex overflow-hidden inset-ring';
/** For a card that is a link: an answer to pointer and finger. */
export const cardLinkClass =
  'transition duration-150 ease-out hover:bg-sunken active:scale-[0.99] -outline-offset-3';
export const CARD_SPANS = {
  third: 'small:col-span-2',
  half: 'col-span-2 small:col-span-3',
  full: 'col-span-2 small:col-span-6',
} as const;
/** How wide a card of each span is shown, as the `sizes` of its picture. */
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

/** A category in the manner that it asks for, all of it a link. Put it into `CardGrid`. */
export function CategoryCard(props: CategoryCardProps) {
  switch (props.displayType) {
    case 'grid':
      return <TallCard {...props} span="third" />;
    case 'featured':
      return <TallCard {...props} span="full" />;
    case 'row':
      return <LineCard {...props} isLarge />;
    case 'list':
      return <LineCard {...props} isLarge={false} />;
  }
}

function TallCard({ span, ...props }: CategoryCardProps & { span: 'third' | 'full' }) {
  const isFull = span === 'full';
  return (
    <li className={classNames('flex', CARD_SPANS[span])}>
      <Link to={props.to} className={classNames(cardClass, cardLinkClass, 'w-full flex-col')}>
        <Picture
          {...props.image}
          sizes={CARD_SIZES[span]}
          ratio={isFull ? 'wide' : 'card'}
          isFirst={props.isFirst ?? false}
          className={isFull ? 'small:aspect-5/2' : ''}
        />
        <div className={classNames('flex flex-col gap-0.5', isFull ? 'p-4' : 'px-3.5 py-3')}>
          <CardTitle isLarge={isFull}>{props.title}</CardTitle>{' '}
          <span className="text-caption text-ink-quiet line-clamp-2">{props.description}</span>
        </div>
      </Link>
    </li>
  );
}

function LineCard({ isLarge, ...props }: CategoryCardProps & { isLarge: boolean }) {
  return (
    <li className={classNames('flex', CARD_SPANS.half)}>
      <Link to={props.to} className={classNames(cardClass, cardLinkClass, 'w-full items-center')}>
        <div
          className={classNames(
            'shrink-0 overflow-hidden',
            isLarge ? 'w-28' : 'rounded-small my-2 ml-2 w-14',
          )}
        >
          <Picture {...props.image} sizes="7rem" ratio="square" isFirst={props.isFirst ?? false} />
        </div>
        <div className="flex min-w-0 grow flex-col gap-0.5 px-3.5 py-2">
          <CardTitle isLarge={isLarge}>{props.title}</CardTitle>{' '}
          <span
            className={classNames(
              'text-caption text-ink-quiet',
              isLarge ? 'line-clamp-2' : 'truncate',
            )}
          >
            {props.description}
          </span>
        </div>
        <ChevronRight size={20} aria-hidden className="text-ink-quiet mr-3 shrink-0" />
      </Link>
    </li>
  );
}

function CardTitle(props: { isLarge: boolean; children: ReactNode }) {
  return (
    <h3
      className={classNames(
        'text-balance',
        props.isLarge ? 'font-display text-lead font-bold' : 'text-body font-semibold',
      )}
    >
      {props.children}
    </h3>
  );
}

/** Cards on their way: `count` tall ones, announced once. */
export function CardSkeletons(props: { count: number; label: string }) {
  return (
    <div role="status" aria-label={props.label} className={cardGridClass}>
      {Array.from({ length: props.count }, (_, index) => (
        <div key={index} className={classNames(cardClass, CARD_SPANS.third, 'flex-col')}>
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
