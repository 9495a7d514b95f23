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

it('keeps the screen lit until the code is gone', async () => {
  const end = holdShownCode();
  await settle();
  expect(request).toHaveBeenCalledExactlyOnceWith('screen');
  expect(release).not.toHaveBeenCalled();
  end();
  expect(release).toHaveBeenCalledOnce();
});

it('asks again when the page is looked at again, for a hidden page loses the lock', async () => {
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

it('gives back a lock that comes too late', async () => {
  const end = holdShownCode();
  end();
  await settle();
  expect(release).toHaveBeenCalledOnce();
});

it('does without it where it is refused or unknown', async () => {
  request.mockRejectedValue(new Error('low battery'));
  holdShownCode()();
  vi.stubGlobal('navigator', {});
  holdShownCode()();
  await settle();
  expect(release).not.toHaveBeenCalled();
});
