// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holdShownCode } from './shown-code.ts';

const release = vi.fn<() => Promise<void>>(() => Promise.resolve());
const request = vi.fn<() => Promise<{ release: typeof release }>>();

beforeEach(() => {
  request.mockReset().mockResolvedValue({ release });
  release.mockClear();
  vi.stubGlobal('navigator', { wakeLock: { request } });
});
afterEach(() => vi.unstubAllGlobals());

const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

it('keeps the screen on until the code disappears', async () => {
  const end = holdShownCode();
  await settle();
  expect(request).toHaveBeenCalledExactlyOnceWith('screen');
  expect(release).not.toHaveBeenCalled();
  end();
  expect(release).toHaveBeenCalledOnce();
});

it('requests the lock again when the page becomes visible, because a hidden page loses it', async () => {
  const end = holdShownCode();
  await settle();
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(request).toHaveBeenCalledTimes(2);
  end();
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(request).toHaveBeenCalledTimes(2);
});

it('releases a lock that arrives too late', async () => {
  const end = holdShownCode();
  end();
  await settle();
  expect(release).toHaveBeenCalledOnce();
});

it('works without a lock if it is refused or unsupported', async () => {
  request.mockRejectedValue(new Error('low battery'));
  holdShownCode()();
  vi.stubGlobal('navigator', {});
  holdShownCode()();
  await settle();
  expect(release).not.toHaveBeenCalled();
});
