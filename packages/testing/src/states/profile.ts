import { problem, silence } from '../fake-api.ts';
import { ownPayLink, ownProfile } from '../samples/profile.ts';
import { FAKE_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const PAYEE = '0192bbbb-0000-7000-8000-000000000002';

const chosen = {
  publicProfile: () => ({
    ...ownProfile,
    display_name: 'Ada L',
    shows_name: true,
    handle: 'ada_l',
    handle_changes_at: '2026-12-20T07:30:00.000Z',
  }),
  payCodes: () => ({
    pay_codes: [
      ownPayLink,
      {
        ...ownPayLink,
        id: '0192eeee-0000-7000-8000-000000000006',
        label: 'Tips',
        amount: null,
        note: '',
      },
    ],
  }),
};

const profile = statesOf(
  'profile',
  { path: '/app/settings/profile' },
  {
    empty: { isWhole: true, reach: seen('New link') },
    filled: { isWhole: true, answers: chosen, reach: seen('For May') },
    'pay-code': {
      isWhole: true,
      answers: chosen,
      reach: async (page) => {
        await press(page, 'Show code of Rent');
        await page.getByRole('img', { name: 'Pay code: Rent' }).waitFor();
      },
    },
    'handle-taken': {
      answers: { setHandle: () => problem('handle_taken') },
      reach: async (page) => {
        await write(page, 'Handle', 'ada_l');
        await page.getByRole('button', { name: 'Save' }).last().click();
        await see(page, 'Somebody has this handle');
      },
    },
    loading: {
      answers: { publicProfile: silence, payCodes: silence },
      reach: seen('Profile and pay links'),
    },
    failed: {
      answers: { publicProfile: () => problem('internal_error') },
      reach: seen('Your profile could not be loaded'),
    },
  },
);

const pay = statesOf(
  'pay',
  { path: `/app/pay?code=${ownPayLink.link.slice(-22)}` },
  {
    ended: {
      answers: { recipient: () => ({ exists: false, uuid: null }) },
      reach: seen('This link does not work'),
    },
    loading: { answers: { recipient: silence }, reach: seen('Pay') },
    own: {
      answers: { recipient: () => ({ exists: true, uuid: FAKE_UUID }) },
      reach: seen('This is your own link'),
    },
    summary: {
      answers: {
        recipient: () => ({
          exists: true,
          uuid: PAYEE,
          name: 'Benjamin Ashworth',
          pay: { amount: '12500000', asset: 'ATH', note: 'Rent for May, as agreed' },
        }),
      },
      reach: async (page) => {
        await press(page, 'Next');
        await see(page, '(chosen by this person)');
      },
    },
    failed: {
      answers: { recipient: () => problem('internal_error') },
      reach: seen('The link could not be looked up'),
    },
  },
);

export const profileStates: readonly ScreenState[] = [...profile, ...pay];
