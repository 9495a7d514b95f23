// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepScrollPlace } from './scroll-place.ts';

let grow: () => void;
let end: (() => void) | undefined;
const scrolled = vi.fn<(left: number, top: number) => void>();

function setSizes(scrollY: number, scrollHeight: number): void {
  vi.stubGlobal('scrollY', scrollY);
  vi.stubGlobal('innerHeight', 800);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(scrollHeight);
}

beforeEach(() => {
  vi.useFakeTimers();
  scrolled.mockReset();
  vi.stubGlobal('scrollTo', scrolled);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        grow = callback;
      }
      observe(): void {}
      disconnect(): void {
        grow = () => undefined;
      }
    },
  );
  history.replaceState(null, '', '/app/history?type=Send');
});
afterEach(() => {
  end?.();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Reloads a page that was scrolled to 600. At first the page is only as tall as its splash screen. */
function reload(): void {
  setSizes(600, 3000);
  end = keepScrollPlace();
  dispatchEvent(new Event('pagehide'));
  end();
  setSizes(0, 800);
  end = keepScrollPlace();
}

describe('the scroll position of a page', () => {
  it('is restored after a reload, as soon as the page is tall enough', () => {
    reload();
    setSizes(0, 1300);
    grow();
    expect(scrolled).not.toHaveBeenCalled();
    setSizes(0, 1400);
    grow();
    expect(scrolled).toHaveBeenCalledExactlyOnceWith(0, 600);
    grow();
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it.each([
    ['the user scrolls', () => dispatchEvent(new Event('wheel'))],
    ['5 s passed', () => vi.advanceTimersByTime(5000)],
  ])('is not restored once %s', (_name, happen) => {
    reload();
    happen();
    setSizes(0, 3000);
    grow();
    expect(scrolled).not.toHaveBeenCalled();
  });

  it('belongs to its own address', () => {
    setSizes(600, 3000);
    keepScrollPlace();
    dispatchEvent(new Event('pagehide'));
    history.replaceState(null, '', '/app');
    setSizes(0, 3000);
    end = keepScrollPlace();
    expect(scrolled).not.toHaveBeenCalled();
  });
});
