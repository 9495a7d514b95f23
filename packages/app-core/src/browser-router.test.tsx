// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useLocation, useNavigationType } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BrowserRouter, RouterLink } from './browser-router.tsx';

function Where() {
  const { pathname, search, state } = useLocation();
  return <output>{`${useNavigationType()} ${pathname}${search} ${JSON.stringify(state)}`}</output>;
}

const where = () => screen.getByRole('status').textContent;
const link = () => screen.getByRole('link', { name: 'there' });

function start(path: string, basename?: string): void {
  history.replaceState(null, '', path);
  render(
    <BrowserRouter {...(basename !== undefined && { basename })}>
      <Where />
      <RouterLink to="/there?a=1">there</RouterLink>
    </BrowserRouter>,
  );
}

/** Going back is asynchronous in a browser. */
const goBack = () =>
  act(async () => {
    const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await moved;
  });

beforeEach(() => history.pushState(null, '', '/'));
afterEach(cleanup);

describe('a link', () => {
  it('adds a history entry, so the back button returns to the screen before', async () => {
    start('/here');
    expect(where()).toBe('POP /here null');
    fireEvent.click(link());
    expect(where()).toBe('PUSH /there?a=1 null');
    expect(location.pathname + location.search).toBe('/there?a=1');
    await goBack();
    expect(where()).toBe('POP /here null');
  });

  it('replaces the history entry if it leads to the current page', () => {
    start('/there?a=1');
    const { length } = history;
    fireEvent.click(link());
    expect(where()).toBe('REPLACE /there?a=1 null');
    expect(history.length).toBe(length);
  });

  it('stays below its app’s base path', () => {
    start('/scanner/here', '/scanner');
    expect(link().getAttribute('href')).toBe('/scanner/there?a=1');
    fireEvent.click(link());
    expect(where()).toBe('PUSH /there?a=1 null');
    expect(location.pathname).toBe('/scanner/there');
  });

  it.each([
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { altKey: true },
    { button: 1 },
  ])('leaves a click with %o to the browser', (click) => {
    start('/here');
    // jsdom cannot follow a link. The test only checks that the router did not follow it.
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    fireEvent.click(link(), click);
    expect(where()).toBe('POP /here null');
  });
});

it('follows changes that other code makes to the history', () => {
  start('/here');
  act(() => {
    history.pushState(null, '', '/elsewhere');
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  });
  expect(where()).toBe('POP /elsewhere null');
});
