import { useValue } from '@athos/app-core/value';
import { useEffect } from 'react';
import { matchRoutes, useLocation } from 'react-router';
import { PageViewQuestion } from '../features/page-views/page-view-question.tsx';
import { pageViewChoice, sendPageView } from '../state/page-views.ts';
import { paths } from './paths.ts';
import { routeTable } from './route-table.ts';

/** The address as written in the route table, such as `/app/history/:id` or, for an unknown address, `/app/*`. */
function patternOf(pathname: string): string {
  const parts = (matchRoutes(routeTable, pathname) ?? []).map(({ route }) => route.path ?? '');
  return `/${parts.join('/').split('/').filter(Boolean).join('/')}`;
}

/** Reports each navigation and asks the user once, on home. Rendered only if the installation counts page views. */
export function PageViews() {
  const { pathname, key } = useLocation();
  const choice = useValue(pageViewChoice);

  useEffect(() => {
    sendPageView(patternOf(pathname));
  }, [pathname, key, choice]);

  return choice === undefined && pathname === paths.home ? <PageViewQuestion /> : null;
}
