/** Legal texts with their versions, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Texts = ConsoleAnswerOf<'legalTexts'>;
type Version = ConsoleAnswerOf<'legalTextVersion'>;

const REQUEST = '0192f0f0-0000-7000-8000-000000000001';

const OLD_BODY = `These terms are the agreement between you and us about the programme.

## Your account

You may open one account if you are at least 18 years old.

Keep your password to yourself.

## Sending

A sending is final as soon as the app confirms it.`;

const NEW_BODY = `${OLD_BODY.replace('18 years', '16 years')} For ten seconds you can take it back.

## Changes

When these terms change we ask you again.`;

const summary = (id: number, more: Partial<Texts['items'][number]>): Texts['items'][number] => ({
  id,
  kind: 'terms',
  label: `${id}.0`,
  state: 'draft',
  edited_at: '2026-11-19T14:20:00.000Z',
  edited_by: 'Ines Duarte',
  published_at: null,
  published_by: null,
  in_force_from: null,
  approval_id: null,
  ...more,
});

const published = (id: number, at: string): Partial<Texts['items'][number]> => ({
  label: `${id}.0`,
  published_at: at,
  published_by: 'Ines Duarte',
  in_force_from: at,
});

const inForce = (kind: 'terms' | 'privacy' | 'deletion', id: number | null) => ({
  kind,
  id,
  label: id === null ? '1.0' : `${id}.0`,
  in_force_from: '2026-11-01T00:00:00.000Z',
  body: OLD_BODY,
});

/** No text was published yet. */
export const builtInTexts = (): Texts => ({
  items: [],
  in_force: [inForce('terms', null), inForce('privacy', null), inForce('deletion', null)],
});

const legalTexts = (): Texts => ({
  items: [
    summary(5, { approval_id: REQUEST }),
    summary(6, { kind: 'privacy', label: '2.0-draft' }),
    summary(4, {
      ...published(4, '2026-12-01T00:00:00.000Z'),
      kind: 'deletion',
      state: 'scheduled',
    }),
    summary(3, { ...published(3, '2026-11-01T00:00:00.000Z'), state: 'current' }),
    summary(2, { ...published(2, '2026-06-01T00:00:00.000Z'), state: 'replaced' }),
  ],
  in_force: [inForce('terms', 3), inForce('privacy', null), inForce('deletion', null)],
});

export const legalVersion = (more: Partial<Version> = {}): Version => ({
  ...summary(5, {}),
  version: 3,
  body: NEW_BODY,
  before: { label: '3.0', body: OLD_BODY },
  ...more,
});

export const legalAnswers: Handlers = {
  legalTexts,
  legalTextVersion: () => legalVersion(),
  draftLegalText: ({ body }) => legalVersion({ ...body, id: 7, version: 1 }),
  editLegalText: ({ body }) => legalVersion({ ...body, version: 4 }),
  discardLegalText: () => ({ success: true }),
  publishLegalText: () => ({
    outcome: 'requested',
    approval_id: REQUEST,
    expires_at: '2026-11-25T12:00:00.000Z',
    votes_needed: 1,
  }),
};
