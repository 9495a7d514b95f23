// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { legalVersion } from '@athos/testing/samples/console-legal';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const button = (name: string): HTMLElement =>
  screen.getAllByRole('button', { name }).at(-1) ?? expect.fail();

describe('a legal text', () => {
  it('is begun with the text in force, under a name of its own', { tags: 'long' }, async () => {
    const user = await openConsole('/legal');
    await user.click(button('New version'));
    await settle();
    expect(screen.getByText(/^Enter a version of letters/)).toBeDefined();
    await user.type(screen.getByLabelText('Version'), '4.1');
    const body = screen.getByLabelText<HTMLTextAreaElement>('Text', { selector: 'textarea' });
    expect(body.value).toContain('## Your account');
    await user.click(button('Save'));
    await settle();
    expect(backend.calls('draftLegalText').at(-1)?.body).toEqual({
      kind: 'terms',
      label: '4.1',
      body: body.value,
    });
    expect(location.pathname).toBe('/console/legal/7');
  });

  it('says what is missing before it can be saved', async () => {
    const user = await openConsole('/legal/5');
    await user.click(button('Edit'));
    await settle();
    const body = screen.getByLabelText('Text', { selector: 'textarea' });
    await user.clear(body);
    await user.type(body, 'Only an introduction');
    expect(screen.getByText(/^Write at least one heading/)).toBeDefined();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
  });

  it('shows what it changes, and how customers see it', async () => {
    await openConsole('/legal/5');
    expect(screen.getByText(/at least 16 years old/, { selector: 'ins' })).toBeDefined();
    expect(screen.getByText(/at least 18 years old/, { selector: 'del' })).toBeDefined();
    const preview = within(screen.getByRole('region', { name: 'As customers see it' }));
    expect(preview.getByRole('heading', { name: 'Changes' })).toBeDefined();
  });

  it('[O-109] is published by request, at a time in the zone of the programme', async () => {
    const user = await openConsole('/legal/5');
    await user.click(button('Publish'));
    await settle();
    expect(screen.getByText(/every customer has to accept it/)).toBeDefined();
    await user.type(screen.getByLabelText('In force from'), '2026-12-24T08:00');
    await user.type(screen.getByLabelText('Reason'), 'As our lawyers advise');
    await user.click(button('Ask to publish 5.0'));
    await settle();
    expect(backend.calls('publishLegalText').at(-1)?.body).toEqual({
      in_force_from: '2026-12-24T08:00:00.000Z',
      reason: 'As our lawyers advise',
    });
  });

  it('keeps the typed text when it is read again', async () => {
    const user = await openConsole('/legal/5');
    await user.click(button('Edit'));
    await settle();
    await user.type(screen.getByLabelText('Version'), '-typed');
    backend.answer('legalTextVersion', () => legalVersion({ label: '5.5', version: 9 }));
    await act(() => queryClient.invalidateQueries());
    await settle();
    expect(screen.getByDisplayValue(/-typed$/)).toBeDefined();
  });

  it('that somebody else has edited shows both, and keeps what was typed', async () => {
    const present = legalVersion({ label: '5.5', version: 9 });
    backend.answer('editLegalText', () => problem('version_conflict', { present }));
    const user = await openConsole('/legal/5');
    await user.click(button('Edit'));
    await settle();
    const label = screen.getByLabelText('Version');
    await user.clear(label);
    await user.type(label, '5.1');
    await user.click(button('Save'));
    await settle();
    expect(screen.getByDisplayValue('5.1')).toBeDefined();
    expect(screen.getByText('5.5')).toBeDefined();
  });

  it('that is published offers nothing but to be read', async () => {
    backend.answer('legalTextVersion', () => legalVersion({ state: 'current' }));
    await openConsole('/legal/5');
    for (const name of ['Edit', 'Publish', 'Discard']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
  });

  it('names the permission that somebody lacks', async () => {
    backend.answer('me', () => staffWith(['finance']));
    await openConsole('/legal');
    expect(button('New version').hasAttribute('disabled')).toBe(true);
    expect(screen.getAllByText(/legal\.publish/).length).toBeGreaterThan(0);
  });
});
