// @vitest-environment jsdom
import { toasts } from '@athos/ui/overlays/toast-store';
import { saveFile, saveText } from '@athos/ui/primitives/save-text';
import { setDevice } from '@athos/ui/theme/device';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeShell, type FakeShell } from '../../test/fake-shell.ts';

const CODES = { name: 'recovery-codes.txt', type: 'text/plain' };
const KEPT_MS = 60_000;

let shell: FakeShell;
/** The files in the cache folder of the phone, in base64, by path. */
let disk: Map<string, string>;
const log = vi.fn<(event: string, facts: Record<string, unknown>) => void>();

const refuse = (message: string) => () => {
  throw new Error(message);
};

beforeEach(async () => {
  shell = installFakeShell('ios');
  disk = new Map();
  log.mockClear();
  shell.answer('Filesystem.writeFile', (options) => {
    const { path, directory, data } = options as Record<'path' | 'directory' | 'data', string>;
    if (directory !== 'CACHE') throw new Error('not the cache');
    disk.set(path, data);
    return { uri: `file:///cache/${path}` };
  });
  shell.answer('Filesystem.rmdir', (options) => {
    const { path } = options as { path: string };
    const inside = [...disk.keys()].filter((file) => file.startsWith(`${path}/`));
    if (inside.length === 0) throw new Error('no such folder');
    for (const file of inside) disk.delete(file);
  });
  // The bridge exists before the code that looks for it runs.
  const { createNativeDevice } = await import('./native-device.ts');
  setDevice(createNativeDevice(log));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  toasts.clear();
});

const sharedUris = () =>
  shell.calls('Share.share').flatMap((options) => (options as { files: string[] }).files);
const textsShown = () => toasts.read().map(({ text }) => text);

describe('a file saved in the packaged app', () => {
  it('is written into the cache and offered by its name in the share sheet', async () => {
    let written: string[] = [];
    shell.answer('Share.share', () => {
      written = [...disk.values()];
      return { activityType: 'files' };
    });
    await saveText('7K4T-DS21 – ü\n', CODES);
    const bytes = Uint8Array.from(atob(written[0] ?? ''), (char) => char.charCodeAt(0));
    expect(new TextDecoder().decode(bytes)).toBe('7K4T-DS21 – ü\n');
    expect(written).toHaveLength(1);
    expect(shell.calls('Filesystem.writeFile')).toMatchObject([{ recursive: true }]);
    expect(shell.calls('Share.share')).toEqual([
      { title: CODES.name, files: [expect.stringMatching(/^file:.*\/recovery-codes\.txt$/)] },
    ]);
    expect(textsShown()).toEqual([]);
  });

  it('keeps every byte', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await saveFile(new Blob([bytes], { type: 'application/pdf' }), 'statement.pdf');
    expect([...disk.values()]).toEqual([btoa(String.fromCharCode(...bytes))]);
  });

  it.each([
    ['was chosen for an app, which may still read it for a minute', () => ({ activityType: '' })],
    ['was offered in a sheet that the user closed', refuse('Share canceled')],
    ['could not be offered', refuse('no activity')],
  ])('does not stay on the phone after it %s', async (_case, answer) => {
    shell.answer('Share.share', answer);
    await saveText('7K4T-DS21', CODES);
    await vi.advanceTimersByTimeAsync(KEPT_MS - 1);
    expect(disk.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([...disk.keys()]).toEqual([]);
  });

  it('is not removed together with an earlier one of the same name', async () => {
    await saveText('first', CODES);
    await vi.advanceTimersByTimeAsync(KEPT_MS / 2);
    await saveText('second', CODES);
    await vi.advanceTimersByTimeAsync(KEPT_MS / 2);
    expect([...disk.values()]).toEqual([btoa('second')]);
    expect(new Set(sharedUris()).size).toBe(2);
  });

  it('shows nothing when the user closes the sheet', async () => {
    shell.answer('Share.share', refuse('Share canceled'));
    await saveText('7K4T-DS21', CODES);
    expect(shell.calls('Share.share')).toHaveLength(1);
    expect(textsShown()).toEqual([]);
    expect(log).not.toHaveBeenCalled();
  });

  it.each([
    ['Filesystem.writeFile', 'disk full'],
    ['Share.share', 'Error sharing item'],
  ])('shows a toast when %s fails', async (method, message) => {
    shell.answer(method, refuse(message));
    await saveText('7K4T-DS21', CODES);
    expect(textsShown()).toEqual(['Something went wrong, please try again']);
    expect(log).toHaveBeenCalledExactlyOnceWith('save_failed', { error: `Error: ${message}` });
  });

  it('is offered once when the button is pressed twice, and again later', async () => {
    await Promise.all([saveText('7K4T-DS21', CODES), saveText('7K4T-DS21', CODES)]);
    expect(shell.calls('Share.share')).toHaveLength(1);
    await saveText('7K4T-DS21', CODES);
    expect(shell.calls('Share.share')).toHaveLength(2);
    expect(textsShown()).toEqual([]);
  });
});
