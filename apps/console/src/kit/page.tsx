/** The frame of a screen: title, actions and content. */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  /** The number of objects, shown beside the title. */
  count?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}

export const documentTitle = (title: string): string =>
  m.console_page_title({ title, brand: brand.name });

export function Page({ title, count, actions, children }: PageProps) {
  return (
    <>
      <title>{documentTitle(title)}</title>
      <div className="flex min-w-0 grow flex-col gap-4">
        <header className="flex flex-wrap items-baseline gap-x-3 gap-y-2">
          <h1 className="font-display text-title font-bold tracking-tight">{title}</h1>
          {count !== undefined && (
            <span className="text-dense text-ink-quiet tabular">{count}</span>
          )}
          {actions !== undefined && (
            <div className="ml-auto flex flex-wrap items-start justify-end gap-2 text-right">
              {actions}
            </div>
          )}
        </header>
        {children}
      </div>
    </>
  );
}

/** The frame while its content is loading. It keeps the title, so that the page always has one. */
export const LoadingPage = ({ title }: { title: string }) => (
  <Page title={title}>
    <div role="status" aria-label={m.common_loading()}>
      <Skeleton className="h-96 w-full" />
    </div>
  </Page>
);
