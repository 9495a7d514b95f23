/** The page of one object: title, actions, facts and related parts. */
import { classNames } from '@athos/ui/primitives/class-names';
import { copyText } from '@athos/ui/primitives/copy-button';
import { Link } from '@athos/ui/primitives/link';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { m } from '@athos/messages/messages';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import X from 'lucide-react/icons/x';
import { useId, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { AdminItem } from '../api/admin.ts';
import { CopyLink } from './copy-id.tsx';
import { FailureView } from './failure.tsx';
import { denseIconButtonClass } from './icon-button.tsx';
import { useKey } from './keys.ts';
import { useIsBeside } from './list-detail.tsx';
import { documentTitle } from './page.tsx';

interface DetailProps {
  /** What kind of object it is, above the title: `Audit entry`. */
  kind: string;
  title: ReactNode;
  /** The title without markup, for the window. */
  plainTitle: string;
  state?: ReactNode;
  /** The next step as a button, and further actions. */
  actions?: ReactNode;
  /** The address of the list it came from. */
  backTo: string;
  children: ReactNode;
}

export function Detail(props: DetailProps) {
  const { kind, title, plainTitle, state, actions, backTo, children } = props;
  const isBeside = useIsBeside();
  const { search } = useLocation();
  useKey('c', m.console_keys_copy(), () => void copyText(location.href));
  const Heading = isBeside ? 'h2' : 'h1';
  const Icon = isBeside ? X : ArrowLeft;
  const backLabel = isBeside ? m.console_detail_close() : m.console_detail_back();
  return (
    <>
      <title>{documentTitle(plainTitle)}</title>
      <article className="@container/detail flex min-w-0 flex-col gap-6">
        <header className="flex flex-col gap-2">
          <div className="text-caption text-ink-quiet -ml-2 flex items-center gap-1">
            <Link
              to={backTo + search}
              aria-label={backLabel}
              title={backLabel}
              className={denseIconButtonClass}
            >
              <Icon size={18} aria-hidden />
            </Link>
            <span className="min-w-0 font-semibold wrap-anywhere">{kind}</span>
            <span className="ml-auto">
              <CopyLink />
            </span>
          </div>
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
            <Heading className="font-display text-title min-w-0 font-bold tracking-tight wrap-anywhere">
              {title}
            </Heading>
            {state}
            {actions !== undefined && (
              <div className="ml-auto flex flex-wrap items-start justify-end gap-2 text-right">
                {actions}
              </div>
            )}
          </div>
        </header>
        {children}
      </article>
    </>
  );
}

/** Shows an object, a loading state, or why the object cannot be shown. */
export function DetailOf<Item>(props: {
  read: AdminItem<Item>;
  kind: string;
  backTo: string;
  children: (item: Item) => ReactNode;
}) {
  const { item, failure, reload } = props.read;
  if (item !== undefined) return props.children(item);
  if (failure === undefined) return <LoadingDetail {...props} />;
  return (
    <Detail kind={props.kind} plainTitle={props.kind} title={props.kind} backTo={props.backTo}>
      <FailureView failure={failure} onRetry={reload} />
    </Detail>
  );
}

/** Shown while the object, or the code that shows it, is loading. */
export const LoadingDetail = ({ kind, backTo }: Pick<DetailProps, 'kind' | 'backTo'>) => (
  <Detail kind={kind} plainTitle={kind} title={<TitleSkeleton />} backTo={backTo}>
    <DetailSkeleton />
  </Detail>
);

/** A heading needs a text even while its content loads. */
const TitleSkeleton = () => (
  <>
    <span className="sr-only">{m.common_loading()}</span>
    <Skeleton className="h-6 w-48 max-w-full" />
  </>
);

const SKELETON_FACTS = 6;

function DetailSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="flex flex-col gap-3">
      {Array.from({ length: SKELETON_FACTS }, (_, index) => (
        <div key={index} className="flex gap-4">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-44" />
        </div>
      ))}
    </div>
  );
}

interface SectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a detail under its own heading. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  const Heading = useIsBeside() ? 'h3' : 'h2';
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div className="border-line flex min-h-9 flex-wrap content-end items-baseline gap-2 border-b pb-1.5">
        <Heading id={id} className="text-dense font-bold">
          {title}
        </Heading>
        {actions !== undefined && (
          <div className="ml-auto flex flex-wrap items-start justify-end gap-2 text-right">
            {actions}
          </div>
        )}
      </div>
      {children}
    </section>
  );
}

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** Leaves the fact out. */
  readonly isHidden?: boolean;
}

/** Names and values side by side, or one below the other where there is no room. */
export function Facts({ facts, isWide = false }: { facts: readonly Fact[]; isWide?: boolean }) {
  return (
    <div className="@container/facts">
      <dl
        className={classNames(
          'text-dense @min-[20rem]/facts:grid-cols-[7.5rem_minmax(0,1fr)] grid items-baseline gap-x-4 gap-y-0.5',
          isWide && '@min-[44rem]/facts:grid-cols-[7.5rem_minmax(0,1fr)_7.5rem_minmax(0,1fr)]',
        )}
      >
        {facts
          .filter(({ isHidden }) => isHidden !== true)
          .map(({ label, value }) => (
            <div key={label} className="contents">
              <dt className="text-ink-quiet wrap-anywhere">{label}</dt>
              <dd className="flex min-h-8 min-w-0 items-center py-1 wrap-anywhere">
                <div className="min-w-0">{value}</div>
              </dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

/** A link to a related object. */
export function ObjectLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="rounded-dense text-dense text-accent-text font-semibold underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}
