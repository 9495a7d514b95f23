// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { installFakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { balanceQuery } from '../api/balance.ts';
import { session } from './session.ts';

beforeEach(() => void installFakeBackend(walletAnswers));
afterEach(() => {
  queryClient.clear();
  session.set({ status: 'starting' });
  vi.unstubAllGlobals();
});

it('[S3-004] [D-020] has the uuid, whether the user is signed in, and the balance as an exact big number', async () => {
  // Above 2^53, where a float would lose the last digits.
  const ATH = '9007199254740993';
  installFakeBackend(walletAnswers).answer('balance', () => ({
    balance: ATH,
    balances: { ATH, ATH2: '0', ATH3: '0' },
  }));
  session.begin({ token: fakeToken(), uuid: FAKE_UUID });
  expect(session.get()).toMatchObject({ status: 'signed_in', uuid: FAKE_UUID });
  expect((await queryClient.fetchQuery(balanceQuery)).ATH).toBe(9_007_199_254_740_993n);
});
