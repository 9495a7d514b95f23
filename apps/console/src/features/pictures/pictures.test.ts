// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { OFFER_ID } from '@athos/testing/samples/console-catalogue';
import { PICTURE_ID, pictureSample } from '@athos/testing/samples/console-pictures';
import { staffWith } from '@athos/testing/samples/console';
import { act, fireEvent, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeRequest, sent, standInForRequests } from '../../../test/fake-request.ts';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const file = (name: string, type = 'image/png', size = 5): File =>
  new File([new Uint8Array(size)], name, { type });
beforeEach(standInForRequests);

function fileInput(): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('no choice of files');
  return input;
}

describe('uploads', () => {
  async function choose(...files: File[]) {
    const user = await openConsole('/pictures');
    await user.upload(fileInput(), files);
    await settle();
    return user;
  }

  it('go one after the other, with their progress', async () => {
    await choose(file('one.png'), file('two.png'));
    expect(FakeRequest.all).toHaveLength(1);
    expect(sent(0).headers).toMatchObject({
      'content-type': 'image/png',
      'x-console': '1',
      'x-staff-id': staffWith().id,
    });
    sent(0).upload.onprogress?.({ loaded: 1, total: 4 });
    await settle();
    expect(screen.getByText('25% sent')).toBeDefined();
    expect(screen.getByText('Waiting')).toBeDefined();
    sent(0).answer(200, pictureSample());
    await settle();
    expect(FakeRequest.all).toHaveLength(2);
    expect(screen.queryByText('one.png')).toBeNull();
  });

  it('[O-085] name what is no picture, and send neither that nor what is too large', async () => {
    const tooLarge = file('huge.png');
    Object.defineProperty(tooLarge, 'size', { value: 13 * 1024 * 1024 });
    await openConsole('/pictures');
    const zone = screen.getByRole('heading', { name: 'Pictures' });
    const dataTransfer = { types: ['Files'], files: [file('a.svg', 'image/svg+xml'), tooLarge] };
    fireEvent.drop(zone, { dataTransfer });
    await settle();
    expect(screen.getByText(/Only JPEG, PNG/)).toBeDefined();
    expect(screen.getByText('It is larger than 12 MB.')).toBeDefined();
    expect(FakeRequest.all).toHaveLength(0);
  });

  it('show why the server refused one, and repeat under the same key what was not answered', async () => {
    const user = await choose(file('one.png'));
    sent(0).onerror?.();
    await settle();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(sent(1).headers['idempotency-key']).toBe(sent(0).headers['idempotency-key']);
    sent(1).answer(400, {
      title: 'Invalid.',
      detail: 'Send one whole picture.',
      code: 'invalid_request',
    });
    await settle();
    expect(screen.getByText(/Send one whole picture/)).toBeDefined();
  });

  it('are not offered to who may only read', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    await openConsole('/pictures');
    expect(screen.getByRole('button', { name: 'Upload pictures' })).toHaveProperty(
      'disabled',
      true,
    );
  });
});

describe('a picture', () => {
  it('takes its crop point by keyboard and by pointer, and sends the version that was seen', async () => {
    const user = await openConsole(`/pictures/${PICTURE_ID}`);
    fireEvent.change(screen.getByLabelText('From the left (%)'), {
      target: { value: '10' },
    });
    const text = screen.getByLabelText('Description', { selector: 'textarea' });
    await user.clear(text);
    await user.type(text, 'The quay');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(backend.calls('changePicture')[0]).toMatchObject({
      params: { id: PICTURE_ID },
      body: { alternative_text: 'The quay', crop_x: 10, crop_y: 70 },
    });
  });

  it('keeps what was typed when it is read again, and saves it over the version that was seen', async () => {
    const user = await openConsole(`/pictures/${PICTURE_ID}`);
    const description = () => screen.getByLabelText('Description', { selector: 'textarea' });
    await user.clear(description());
    await user.type(description(), 'The quay');
    backend.answer('picture', () => pictureSample({ version: 3, alternative_text: 'A quay' }));
    await act(() => queryClient.invalidateQueries());
    await settle();
    expect(description()).toHaveProperty('value', 'The quay');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(backend.calls('changePicture')[0]?.headers.get('if-match')).toBe('"1"');
    expect(description()).toHaveProperty('value', 'A quay');
  });

  it('shows both sides if somebody else has described it meanwhile', async () => {
    backend.answer('changePicture', () =>
      problem('version_conflict', { present: pictureSample({ version: 3, crop_x: 90 }) }),
    );
    const user = await openConsole(`/pictures/${PICTURE_ID}`);
    fireEvent.change(screen.getByLabelText('From the top (%)'), {
      target: { value: '1' },
    });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(screen.getByText('90')).toBeDefined();
  });
});

describe('the picker of an offer', () => {
  async function openPicker() {
    const user = await openConsole(`/offers/${OFFER_ID}`);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await settle();
    await user.click(screen.getByRole('button', { name: 'Choose a picture' }));
    await settle();
    return user;
  }
  async function save(user: UserEvent) {
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await settle();
    return backend.calls('saveOffer')[0]?.body;
  }

  it('takes a stored picture', { tags: 'long' }, async () => {
    const user = await openPicker();
    await user.click(screen.getByRole('button', { name: 'Choose A red scarf' }));
    await settle();
    expect(await save(user)).toMatchObject({ picture_id: 'd'.repeat(64) });
  });

  it('takes a new one once it is stored', async () => {
    const user = await openPicker();
    await user.upload(fileInput(), file('new.png'));
    await settle();
    sent(0).answer(200, pictureSample());
    await settle();
    expect(await save(user)).toMatchObject({ picture_id: PICTURE_ID });
  });

  it('takes none that is stored after it was closed, and keeps what was typed since', async () => {
    const user = await openPicker();
    await user.upload(fileInput(), file('new.png'));
    await settle();
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    const title = screen.getByLabelText('Title');
    await user.clear(title);
    await user.type(title, 'Quay scarf');
    sent(0).answer(200, pictureSample());
    await settle();
    expect(await save(user)).toMatchObject({ title: 'Quay scarf', picture_id: null });
  });
});
