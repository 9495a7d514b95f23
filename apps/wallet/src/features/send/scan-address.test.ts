// @vitest-environment jsdom
import { BACK, installFakeCameras, type FakeCameras } from '@athos/ui/test/fake-cameras';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { endTest, openAt, passLoading } from '../../../test/signed-in.tsx';
import { sendDraftOf } from '../../state/send-draft.ts';

vi.mock(
  'barcode-detector/ponyfill',
  async () => (await import('@athos/ui/test/fake-cameras')).fakeDetector,
);

const OTHER = '0192dddd-0000-7000-8000-000000000004';
const signed = (kind: string, data: object) => JSON.stringify({ t: kind, d: data, s: 'signature' });
const DATA = { a: OTHER, t: 1_795_262_400_000, v: 1 };

let backend: FakeBackend;
let cameras: FakeCameras;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  cameras = installFakeCameras([BACK], 'granted');
});
afterEach(endTest);

const scanButton = () => screen.getByRole('button', { name: 'Scan Address' });
const dialog = () => screen.queryByRole('dialog', { name: 'Scan Address' });
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recipient' });

/** Opens the modal and waits for a running camera. */
async function openScan() {
  const user = await openAt('/app/send/recipient');
  await user.click(scanButton());
  for (let depth = 0; depth < 3; depth += 1) await passLoading();
  return user;
}

/** Holds a code up to the camera long enough for one frame and for the modal to close. */
async function scan(text: string): Promise<void> {
  cameras.show(text);
  await pass(1000);
}

describe('Scan Address', () => {
  it('[S2-158] opens from the scan button, with the camera on', async () => {
    await openScan();
    const modal = within(dialog() as HTMLElement);
    expect(modal.getByRole('region', { name: 'Code Scanner' })).toBeDefined();
    expect(cameras.running()?.getSettings().deviceId).toBe(BACK.id);
  });

  it.each([
    ['d.a of an account code', signed('transfer', DATA)],
    ['d.a of a tier code', signed('tier', DATA)],
    ['d.a of a purchase code', signed('purchase', { ...DATA, i: [1, 2] })],
    ['a code that holds only a uuid', OTHER],
    ['a uuid in capitals', ` ${OTHER.toUpperCase()} `],
  ])('[S3-045] [D-076] [D-077] [S5-042] reads the address from %s', async (_name, text) => {
    await openScan();
    await scan(text);
    expect(dialog()).toBeNull();
    expect(input().value).toBe(OTHER);
    expect(sendDraftOf(FAKE_UUID).get()).toMatchObject({ address: OTHER, active: false });
    expect(cameras.running()).toBeUndefined();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
  });

  it('[W-063] sends a signed code with the request, and no code once the address is entered otherwise', async () => {
    const user = await openScan();
    const code = signed('transfer', DATA);
    await scan(code);
    expect(sendDraftOf(FAKE_UUID).get().met).toBe(code);
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '1' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await pass();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await pass();
    const [call] = backend.calls('transfer');
    expect(call?.body).toMatchObject({ to_uuid: OTHER, undo: { warned: false, met: code } });
  });

  it('keeps no code of an address that is typed after the scan, and none without a signature', async () => {
    const user = await openScan();
    await scan(signed('transfer', DATA));
    await user.type(input(), '{Backspace}4');
    expect(sendDraftOf(FAKE_UUID).get()).toMatchObject({ address: OTHER, met: undefined });
    await user.click(scanButton());
    await scan(OTHER);
    expect(sendDraftOf(FAKE_UUID).get()).toMatchObject({ address: OTHER, met: undefined });
  });

  it.each([
    ['a link', 'https://example.com'],
    ['an unsigned payload', JSON.stringify({ t: 'transfer', d: DATA })],
    ['a payload of an unknown kind', signed('gift', DATA)],
    ['an account of 29 characters', signed('transfer', { ...DATA, a: 'a'.repeat(29) })],
  ])(
    '[S8-029] [S5-042] says QR code parse error for %s, and keeps scanning',
    async (_name, text) => {
      await openScan();
      await scan(text);
      expect(within(dialog() as HTMLElement).getByText('QR code parse error')).toBeDefined();
      expect(sendDraftOf(FAKE_UUID).get().address).toBe('');
      expect(cameras.running()).toBeDefined();
      await scan(OTHER);
      expect(dialog()).toBeNull();
      expect(input().value).toBe(OTHER);
    },
  );

  it('shows no old error when it is opened again', async () => {
    const user = await openScan();
    await scan('https://example.com');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await pass(1000);
    expect(dialog()).toBeNull();
    cameras.show();
    await user.click(scanButton());
    await pass(1000);
    expect(screen.queryByText('QR code parse error')).toBeNull();
    expect(cameras.running()).toBeDefined();
  });

  it('stops the camera, changes nothing and returns the focus when it is closed', async () => {
    const user = await openScan();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await pass(1000);
    expect(dialog()).toBeNull();
    expect(cameras.running()).toBeUndefined();
    expect(input().value).toBe('');
    expect(document.activeElement).toBe(scanButton());
  });

  it('refuses the user’s own address with the reason, like a typed one', async () => {
    await openScan();
    await scan(FAKE_UUID);
    expect(screen.getByRole('alert').textContent).toBe('This is your own account ID.');
    expect(document.activeElement).toBe(scanButton());
  });
});
