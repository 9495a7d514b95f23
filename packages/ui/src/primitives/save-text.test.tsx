// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RecoveryCodes } from '../factors/recovery-codes.tsx';
import { toasts } from '../overlays/toast-store.ts';
import { device, setDevice } from '../theme/device.ts';
import { saveText } from './save-text.ts';

const FILE = { name: 'history.csv', type: 'text/csv' };

const browserDevice = device();
const revokeUrl = vi.fn<(url: string) => void>();
const downloads: (readonly [name: string, address: string])[] = [];

beforeEach(() => {
  downloads.length = 0;
  revokeUrl.mockClear();
  Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: revokeUrl });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    downloads.push([this.download, this.href]);
  });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  setDevice(browserDevice);
  toasts.clear();
});

describe('a file that is saved', () => {
  it('is downloaded by the browser, which may read its URL for a minute', async () => {
    vi.useFakeTimers();
    await saveText('1;2', FILE);
    expect(downloads).toEqual([['history.csv', 'blob:file']]);
    vi.advanceTimersByTime(59_999);
    expect(revokeUrl).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(revokeUrl).toHaveBeenCalledExactlyOnceWith('blob:file');
    expect(toasts.read()).toEqual([]);
  });

  it('is given to the device of the packaged app instead', async () => {
    const saved: { name: string; content: Blob }[] = [];
    setDevice({
      ...browserDevice,
      saveFile: async (content, name) => void saved.push({ name, content }),
    });
    render(<RecoveryCodes codes={['7K4T-DS21', '3SB5-5QD0']} onDone={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Download' }));
    expect(saved.map(({ name, content }) => [name, content.type])).toEqual([
      ['recovery-codes.txt', 'text/plain'],
    ]);
    expect(saved[0]?.content.size).toBe('7K4T-DS21\n3SB5-5QD0\n'.length);
    expect(downloads).toEqual([]);
  });

  it('shows a toast when the device cannot save it', async () => {
    setDevice({ ...browserDevice, saveFile: () => Promise.reject(new Error('disk full')) });
    await saveText('1;2', FILE);
    expect(toasts.read().map(({ kind, text }) => [kind, text])).toEqual([
      ['danger', 'Something went wrong, please try again'],
    ]);
  });
});
