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

/** Going back takes the browser a moment. */
const goBack = () =>
  act(async () => {
    const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    history.back();
    await moved;
  });

beforeEach(() => history.pushState(null, '', '/'));
afterEach(cleanup);

describe('a link', () => {
  it('adds an entry to the history, from which the back button returns', async () => {
    start('/here');
    expect(where()).toBe('POP /here null');
    fireEvent.click(link());
    expect(where()).toBe('PUSH /there?a=1 null');
    expect(location.pathname + location.search).toBe('/there?a=1');
    await goBack();
    expect(where()).toBe('POP /here null');
  });

  it('replaces the entry where it leads to the page that is shown', () => {
    start('/there?a=1');
    const { length } = history;
    fireEvent.click(link());
    expect(where()).toBe('REPLACE /there?a=1 null');
    expect(history.length).toBe(length);
  });

  it('stays below the base path of its app', () => {
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
  ])('is left to the browser when it is clicked with %o', (click) => {
    start('/here');
    // jsdom cannot follow a link; what counts is that the router did not.
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    fireEvent.click(link(), click);
    expect(where()).toBe('POP /here null');
  });
});

it('moves with a history that something else has changed', () => {
  start('/here');
  act(() => {
    history.pushState(null, '', '/elsewhere');
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  });
  expect(where()).toBe('POP /elsewhere null');
});
