import { m } from '@athos/messages/messages';
import { classNames } from './class-names.ts';

/** A grey placeholder. Size it with classes: `h-5 w-32`. */
export function Skeleton(props: { className?: string; isRound?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'animate-shimmer block bg-current/12',
        props.isRound ? 'rounded-pill' : 'rounded-small',
        props.className,
      )}
    />
  );
}

/** Rows in the shape of `ListRow`, announced once. */
export function SkeletonRows(props: { count: number; label?: string }) {
  return (
    <div role="status" aria-label={props.label ?? m.common_loading()} className="flex flex-col">
      {Array.from({ length: props.count }, (_, index) => (
        <div key={index} className="flex min-h-16 items-center gap-3 py-3">
          <Skeleton isRound className="size-11 shrink-0" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3 w-1/4" />
          </div>
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
