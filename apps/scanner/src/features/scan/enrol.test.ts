// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { enrolmentQrText } from '@athos/domain/enrolment-code';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { DEVICE_ID, fakeServer } from '@athos/testing/samples/offline';
import { BAR } from '@athos/testing/samples/scanner';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { act, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  beginOfflineTest,
  camera,
  endOfflineTest,
  press,
  settle,
  until,
} from '../../../test/offline-gate.ts';
import { openSignedIn } from '../../../test/staff.tsx';

vi.mock('@athos/ui/qr/qr-scanner', async () => ({
  QrScanner: (await import('../../../test/offline-gate.ts')).FakeScanner,
}));
vi.mock('@athos/ui/qr/scan-feedback', () => ({ playScanFeedback: vi.fn<() => void>() }));

let backend: FakeBackend;
beforeEach(async () => {
  backend = beginOfflineTest(await fakeServer());
  backend.answer('scannerEnrol', () => ({ device_id: DEVICE_ID, name: 'Bar 2', venue: BAR }));
});
afterEach(async () => {
  vi.mocked(playScanFeedback).mockReset();
  await endOfflineTest();
});

async function openCamera(): Promise<UserEvent> {
  const user = await openSignedIn('/scanner/today');
  await press(user, 'Name this device');
  await until(() => screen.queryByLabelText('Code') !== null);
  await press(user, 'Scan the code');
  return user;
}
const read = (text: string): Promise<void> => act(async () => camera.onDecoded(text));

it("enrols with the code that the camera reads from the console's screen", async () => {
  await openCamera();
  await read(enrolmentQrText('7KQM4TXB'));
  await until(() => screen.queryByText(/It can redeem offline codes/) !== null);
  expect(backend.calls('scannerEnrol')).toHaveLength(1);
  expect(backend.calls('scannerEnrol')[0]?.body.enrolment_code).toBe('7KQM4TXB');
  expect(vi.mocked(playScanFeedback).mock.calls).toEqual([['success']]);
  expect(screen.queryByRole('button', { name: 'Close the camera' })).toBeNull();
});

it('asks the server nothing about a code of something else, and reads on', async () => {
  await openCamera();
  await read('T1:ABC');
  expect(camera).toMatchObject({ fault: 'This is not a code that names a device.' });
  expect(vi.mocked(playScanFeedback).mock.calls).toEqual([['refused']]);
  await read(enrolmentQrText('7KQM4TXB'));
  await until(() => backend.calls('scannerEnrol').length === 1);
  await settle();
});

it('keeps a code that the server refuses in the field, to be read again or typed', async () => {
  backend.answer('scannerEnrol', () => problem('invalid_code'));
  const user = await openCamera();
  await read(enrolmentQrText('7KQM4TXB'));
  await until(() => screen.queryByText('Not named') !== null);
  expect(screen.getByLabelText<HTMLInputElement>('Code').value).toBe('7KQM4TXB');
  await press(user, 'Scan the code');
  expect(screen.getByRole('button', { name: 'Close the camera' })).toBeDefined();
});
