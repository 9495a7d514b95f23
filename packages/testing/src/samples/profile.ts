/** A profile and a pay link, as the API returns them. */
import type { AnswerOf } from '@athos/contract/api';

export const ownProfile: AnswerOf<'publicProfile'> = {
  display_name: null,
  shows_name: false,
  handle: null,
  handle_changes_at: null,
  is_findable: true,
};

export const ownPayLink: AnswerOf<'makePayCode'> = {
  id: '0192eeee-0000-7000-8000-000000000005',
  label: 'Rent',
  amount: '12500000',
  asset: 'ATH',
  note: 'For May',
  link: 'https://wallet.example/app/pay?code=Ab-_567890123456789012',
  made_at: '2026-11-20T07:30:00.000Z',
};
