// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToastStore } from './toast-store.ts';
import type { ToastDurationMs } from './toast-store.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function renderToaster() {
  const store = createToastStore();
  render(<Toaster store={store} />);
  const show = (...toast: Parameters<typeof store.show>) => act(() => store.show(...toast));
  const pass = (ms: number) =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  return { store, show, pass };
}

describe('Toaster', () => {
  it('[S2-041] is at the top of the screen', () => {
    const { show } = renderToaster();
    show('info', 'Hello', 3000);
    const region = screen.getByRole('region', { name: 'Notifications' });
    expect(within(region).getByText('Hello')).toBeDefined();
    expect(region.classList).toContain('fixed');
    expect(region.classList).toContain('top-0');
    expect([...region.classList].some((name) => name.startsWith('bottom'))).toBe(false);
  });

  it('[S2-042] merges an identical message into one with a count badge', () => {
    const { show } = renderToaster();
    show('danger', 'Incorrect credentials', 4000);
    expect(screen.getByRole('listitem').textContent).not.toContain('1');
    show('danger', 'Incorrect credentials', 4000);
    show('danger', 'Incorrect credentials', 4000);
    expect(screen.getAllByText('Incorrect credentials')).toHaveLength(1);
    expect(screen.getByText('3')).toBeDefined();
    expect(screen.getByText('Shown 3 times')).toBeDefined();
  });

  it('[S2-042] keeps different messages apart', () => {
    const { show } = renderToaster();
    show('info', 'One', 3000);
    show('info', 'Two', 3000);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.queryByText(/Shown/)).toBeNull();
  });

  it.each([3000, 4000, 5000] satisfies ToastDurationMs[])(
    '[S9-004] shows a toast for its %i ms and no longer',
    (durationMs) => {
      const { show, pass } = renderToaster();
      show('success', 'Sent', durationMs);
      pass(durationMs - 1);
      expect(screen.queryByText('Sent')).not.toBeNull();
      pass(1);
      expect(screen.queryByText('Sent')).toBeNull();
    },
  );

  it('[S9-004] rejects any other duration in its types', () => {
    const store = createToastStore();
    // @ts-expect-error -- only 3000, 4000 and 5000 are allowed
    store.show('info', 'Short', 2000);
    expect(store.read()).toHaveLength(1);
    store.clear();
  });

  it('restarts its timer when the message is shown again', () => {
    const { show, pass } = renderToaster();
    show('info', 'Again', 3000);
    pass(2500);
    show('info', 'Again', 3000);
    pass(2999);
    expect(screen.queryByText('Again')).not.toBeNull();
    pass(1);
    expect(screen.queryByText('Again')).toBeNull();
  });

  it('stays while the pointer rests on it', () => {
    const { show, pass } = renderToaster();
    show('info', 'Read me', 3000);
    fireEvent.pointerEnter(screen.getByRole('list'));
    pass(60_000);
    expect(screen.queryByText('Read me')).not.toBeNull();
    fireEvent.pointerLeave(screen.getByRole('list'));
    pass(3000);
    expect(screen.queryByText('Read me')).toBeNull();
  });

  it('stays while it has the focus', () => {
    const { show, pass } = renderToaster();
    show('info', 'Read me', 3000);
    const dismiss = screen.getByRole('button', { name: 'Dismiss notification' });
    act(() => dismiss.focus());
    pass(60_000);
    expect(screen.queryByText('Read me')).not.toBeNull();
    act(() => dismiss.blur());
    pass(3000);
    expect(screen.queryByText('Read me')).toBeNull();
  });

  it('disappears when dismissed, and the timers of the others resume', () => {
    const { show, pass } = renderToaster();
    show('info', 'First', 5000);
    fireEvent.pointerEnter(screen.getByRole('list'));
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss notification' }));
    expect(screen.queryByText('First')).toBeNull();
    show('info', 'Second', 3000);
    pass(3000);
    expect(screen.queryByText('Second')).toBeNull();
  });

  it('announces politely, and a danger assertively', () => {
    const { show } = renderToaster();
    expect(screen.getByRole('list').getAttribute('aria-live')).toBe('polite');
    show('info', 'Note', 3000);
    expect(screen.queryByRole('alert')).toBeNull();
    show('danger', 'Broken', 3000);
    expect(screen.getByRole('alert').textContent).toContain('Broken');
  });

  it('keeps only the newest four', () => {
    const { show } = renderToaster();
    for (const text of ['a1', 'a2', 'a3', 'a4', 'a5']) show('info', text, 5000);
    expect(screen.getAllByRole('listitem')).toHaveLength(4);
    expect(screen.queryByText('a1')).toBeNull();
  });

  it('loses what earlier attempts of an action said when a new one begins', () => {
    const { store, show } = renderToaster();
    show('info', 'Text copied', 3000);
    act(() => store.attempt('login')('danger', 'Incorrect credentials', 4000));
    act(() => void store.attempt('transfer'));
    expect(screen.getByText('Incorrect credentials')).toBeDefined();
    act(() => void store.attempt('login'));
    expect(screen.queryByText('Incorrect credentials')).toBeNull();
    expect(screen.getByText('Text copied')).toBeDefined();
  });

  it('[S2-042] counts a failure that comes back within its time', () => {
    const { store, pass } = renderToaster();
    const fail = () => act(() => store.attempt('login')('danger', 'Incorrect credentials', 4000));
    fail();
    pass(3000);
    fail();
    expect(screen.getByText('Shown 2 times')).toBeDefined();
    pass(3999);
    act(() => void store.attempt('login'));
    pass(1);
    fail();
    expect(screen.queryByText(/Shown/)).toBeNull();
  });

  it('runs its timers again when a new attempt removes the toast under the pointer', () => {
    const { store, show, pass } = renderToaster();
    act(() => store.attempt('login')('danger', 'Incorrect credentials', 4000));
    fireEvent.pointerEnter(screen.getByRole('list'));
    act(() => void store.attempt('login'));
    show('info', 'Later', 3000);
    pass(3000);
    expect(screen.queryByText('Later')).toBeNull();
  });
});

/** jsdom has no layout, so each element gets the position that its test sets. */
function placeAt(element: Element, [left, top, width, height]: readonly number[]): void {
  element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
}

describe('the place of the toasts', () => {
  const LIST = [12, 12, 366, 52];

  function renderOver(page: string): { list: HTMLElement; show: () => void } {
    document.body.insertAdjacentHTML('afterbegin', page);
    const { show } = renderToaster();
    const list = screen.getByRole('list');
    placeAt(list, LIST);
    Object.defineProperty(list, 'offsetTop', { value: LIST[1] });
    return { list, show: () => show('info', 'Hello', 3000) };
  }
  const find = (selector: string): Element => {
    const element = document.querySelector(selector);
    if (element === null) throw new Error(`no ${selector}`);
    return element;
  };
  afterEach(() => document.querySelector('main')?.remove());

  it('is below Back and the heading', () => {
    const { list, show } = renderOver('<main><header><a>Back</a><h1>Send</h1></header></main>');
    placeAt(find('header a'), [4, 12, 44, 44]);
    placeAt(find('h1'), [52, 20, 322, 56]);
    show();
    expect(list.style.translate).toBe(`0px ${76 + 8 - 12}px`);
  });

  it('is the top of the screen if nothing there must stay clear', () => {
    const { list, show } = renderOver('<main><header><a>Back</a><h1>Send</h1></header></main>');
    // Scrolled away, hidden, or beside the toasts.
    placeAt(find('header a'), [4, -100, 44, 44]);
    placeAt(find('h1'), [12, 12, 1, 1]);
    show();
    expect(list.style.translate).toBe('0px');
    placeAt(find('h1'), [400, 12, 200, 56]);
    fireEvent.scroll(document);
    expect(list.style.translate).toBe('0px');
  });

  it('follows the heading while the page scrolls', () => {
    const { list, show } = renderOver('<main><h1>Send</h1></main>');
    placeAt(find('h1'), [52, 120, 322, 56]);
    show();
    expect(list.style.translate).toBe('0px');
    placeAt(find('h1'), [52, 40, 322, 56]);
    fireEvent.scroll(document);
    expect(list.style.translate).toBe(`0px ${96 + 8 - 12}px`);
  });
});
