// @vitest-environment jsdom
import type { AnswerOf } from '@athos/contract/api';
import { parseSignedQr } from '@athos/domain/qr-payload';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';

/** The code's content and requested colour, which `packages/ui` darkens as far as cameras need. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string; colour?: string }) => (
    <img alt={props.label} data-value={props.value} data-colour={props.colour} />
  ),
}));

const TIERS: AnswerOf<'tiers'>['tiers'] = [
  { id: 1, title: 'Bronze', amount: '100000000', color: '#b0713c', note: 'A drink a month.' },
  { id: 2, title: 'Silver', amount: '1000000000', color: '#8a94a3', note: 'Order online first.' },
  { id: 3, title: 'Gold', amount: '5000000000', color: '#d9a935', note: 'Backstage.' },
];

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('tiers', () => ({ tiers: TIERS }));
});
afterEach(endTest);

function haveBalance(ATH: string): void {
  backend.answer('balance', () => ({ balance: ATH, balances: { ATH, ATH2: '0', ATH3: '0' } }));
}

const codeImage = (): HTMLElement | null =>
  screen.queryByRole('img', { name: 'QR code of your tier' });
const shownCode = () => parseSignedQr(codeImage()?.dataset['value'] ?? '');
const panel = () => within(screen.getByRole('region', { name: 'Your tier' }));

describe('/app/tiers', () => {
  it('[S2-068] is titled ATH Tiers / Exclusive Access', async () => {
    await openAt('/app/tiers');
    expect(
      screen.getByRole('heading', { level: 1, name: 'ATH Tiers / Exclusive Access' }),
    ).toBeDefined();
  });

  it('[S2-069] leads back to /app', async () => {
    const user = await openAt('/app/tiers');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S1-019] [S2-071] [S7-028] [S9-018] shows the tier, the amount missing to the next one, and all tiers, highest first', async () => {
    await openAt('/app/tiers');
    // 1,234.567890 ATH.
    expect(panel().getByText('Silver Tier')).toBeDefined();
    expect(panel().getByText('3,765.44 ATH more to reach Gold')).toBeDefined();
    expect(
      panel().getByRole('progressbar', { name: 'Progress to Gold' }).getAttribute('aria-valuenow'),
    ).toBe('5');
    expect(
      panel()
        .getAllByRole('listitem')
        .map((row) => /Bronze|Silver|Gold/.exec(row.textContent)?.[0]),
    ).toEqual(['Gold', 'Silver', 'Bronze']);
  });

  it('[S9-019] says without a tier what the lowest one requires', async () => {
    haveBalance('99999999');
    await openAt('/app/tiers');
    expect(panel().getByText('No Tier Reached')).toBeDefined();
    expect(panel().getByText('You need at least 100.00 ATH to qualify for a tier!')).toBeDefined();
  });

  it('[S9-020] congratulates at the highest tier', async () => {
    haveBalance('5000000000');
    await openAt('/app/tiers');
    expect(panel().getByText('Congratulations! You are at the highest tier!')).toBeDefined();
  });

  it('[S9-021] links the word online in a note', async () => {
    await openAt('/app/tiers');
    const [link, ...others] = panel().getAllByRole('link');
    expect(link?.textContent).toMatch(/^online/);
    expect(link?.getAttribute('href')).toMatch(/^https:\/\/athos\.example\//);
    expect(others).toEqual([]);
  });

  it('links to buying more tokens', async () => {
    const user = await openAt('/app/tiers');
    await user.click(screen.getByRole('link', { name: 'Buy ATH' }));
    expect(currentAddress()).toBe('/app/buy');
  });

  it('shows a skeleton while balance or tiers load', async () => {
    backend.answer('tiers', silence);
    await openAt('/app/tiers');
    expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined();
  });

  it('says that the tiers could not be loaded, and can try again', async () => {
    backend.answer('tiers', () => problem('forbidden'));
    const user = await openAt('/app/tiers');
    expect(screen.getByRole('alert').textContent).toContain('The tiers could not be loaded.');
    backend.answer('tiers', () => ({ tiers: TIERS }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(panel().getByText('Silver Tier')).toBeDefined();
  });
});

describe('tier code', () => {
  it('[D-067] [D-073] contains t, d with a, t and v, and s', async () => {
    await openAt('/app/tiers');
    expect(backend.calls('sign')[0]?.body.data.replace(/\d{13}/, 'TIME')).toBe(
      `{"t":"tier","d":{"a":"${FAKE_UUID}","t":TIME,"v":1}}`,
    );
    expect(shownCode()?.s).toBe('signed-by-the-server');
  });

  it('[S2-070] [D-116] is drawn in the colour of the tier', async () => {
    await openAt('/app/tiers');
    expect(codeImage()?.dataset['colour']).toBe('#8a94a3');
  });

  it('is black without a tier', async () => {
    haveBalance('0');
    await openAt('/app/tiers');
    expect(codeImage()).not.toBeNull();
    expect(codeImage()?.dataset['colour']).toBeUndefined();
  });

  it('[S7-030] is renewed every 10 s', async () => {
    const signatures = ['first', 'second', 'third'];
    backend.answer('sign', () => ({ signature: signatures.shift() ?? 'none' }));
    await openAt('/app/tiers');
    await pass(9999);
    expect(shownCode()?.s).toBe('first');
    await pass(1);
    expect(shownCode()?.s).toBe('second');
    await pass(10_000);
    expect(shownCode()?.s).toBe('third');
  });

  it('is never shown longer than its 30 s', async () => {
    const user = await openAt('/app/tiers');
    backend.answer('sign', networkFailure);
    await pass(29_000);
    expect(codeImage()).not.toBeNull();
    expect(screen.getByText('A new code is on its way. This one still works.')).toBeDefined();
    await pass(1000);
    expect(codeImage()).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('No valid QR code can be made');
    backend.answer('sign', () => ({ signature: 'again' }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(shownCode()?.s).toBe('again');
  });
});
