// @vitest-environment jsdom
import { parseSignedQr } from '@athos/domain/qr-payload';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string; colour?: string }) => (
    <img alt={props.label} data-value={props.value} data-colour={props.colour} />
  ),
}));

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const shownCode = () =>
  parseSignedQr(
    screen.getByRole('img', { name: 'QR code with your account ID' }).dataset['value'] ?? '',
  );

describe('My Account', () => {
  it('[S2-072] [S2-073] [S2-074] shows title, balance and account uuid', async () => {
    await openAt('/app/wallet');
    expect(screen.getByRole('heading', { level: 1, name: 'My Account' })).toBeDefined();
    const block = within(screen.getByRole('region', { name: 'Your wallet' }));
    expect(block.getByText(/^1,234\.57/)).toBeDefined();
    expect(block.getByText('~$207.78')).toBeDefined();
    expect(screen.getByText(FAKE_UUID)).toBeDefined();
  });

  it('[D-152] leads back to /app', async () => {
    const user = await openAt('/app/wallet');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it('shows the balance of every token', async () => {
    await openAt('/app/wallet');
    const list = within(screen.getByRole('region', { name: 'Your tokens' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^ATH.*1,234\.57$/),
      expect.stringMatching(/^ATH2.*5\.00$/),
      expect.stringMatching(/^ATH3.*0\.00$/),
    ]);
  });

  it('says that the balance could not be loaded, and can try again', async () => {
    backend.answer('balance', () => problem('forbidden'));
    const user = await openAt('/app/wallet');
    backend.answer('balance', () => ({
      balance: '1',
      balances: { ATH: '1', ATH2: '0', ATH3: '0' },
    }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.getByRole('region', { name: 'Your wallet' }).textContent).toContain('0.01 ATH');
  });
});

describe('Copy', () => {
  it('[S2-075] [S8-016] copies the uuid and says so for 3 s', async () => {
    const user = await openAt('/app/wallet');
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await pass();
    expect(writeText).toHaveBeenCalledExactlyOnceWith(FAKE_UUID);
    await pass(2999);
    expect(screen.getByText('Text copied to clipboard!')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Text copied to clipboard!')).toBeNull();
  });

  it('[S8-017] says for 3 s that it failed', async () => {
    const user = await openAt('/app/wallet');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await pass(2999);
    expect(screen.getByText('Something went wrong, please try again')).toBeDefined();
    await pass(1);
    expect(screen.queryByText('Something went wrong, please try again')).toBeNull();
  });
});

describe('account code', () => {
  it("[S2-076] [D-118] is shown below 'or have someone scan', black on white", async () => {
    await openAt('/app/wallet');
    const label = screen.getByText('or have someone scan');
    const code = screen.getByRole('img', { name: 'QR code with your account ID' });
    expect(label.compareDocumentPosition(code)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(code.dataset['colour']).toBeUndefined();
  });

  it('[D-067] has the canonical text signed: t, then d with a, t and v', async () => {
    await openAt('/app/wallet');
    const [call] = backend.calls('sign');
    expect(call?.body.data.replace(/\d{13}/, 'TIME')).toBe(
      `{"t":"transfer","d":{"a":"${FAKE_UUID}","t":TIME,"v":1}}`,
    );
  });

  it('[D-073] [S3-042] [S3-043] shows t, d and s', async () => {
    await openAt('/app/wallet');
    expect(shownCode()).toEqual({
      t: 'transfer',
      d: { a: FAKE_UUID, t: expect.any(Number) as number, v: 1 },
      s: 'signed-by-the-server',
    });
  });

  it('[D-178] takes its time from the server’s clock', async () => {
    backend.setClockOffset(90_000);
    await openAt('/app/wallet');
    // The responses so far gave the server's clock to the second.
    await pass(10_000);
    expect(shownCode()?.d.t).toBeGreaterThan(Date.now() + 89_000);
    expect(shownCode()?.d.t).toBeLessThan(Date.now() + 91_000);
  });

  it('[S7-031] is renewed every 10 s', async () => {
    const signatures = ['first', 'second', 'third'];
    backend.answer('sign', () => ({ signature: signatures.shift() ?? 'none' }));
    await openAt('/app/wallet');
    await pass(9999);
    expect(shownCode()?.s).toBe('first');
    await pass(1);
    expect(shownCode()?.s).toBe('second');
    await pass(9999);
    expect(shownCode()?.s).toBe('second');
    await pass(1);
    expect(shownCode()?.s).toBe('third');
  });

  it('shows a skeleton while it loads', async () => {
    backend.answer('sign', silence);
    await openAt('/app/wallet');
    expect(screen.getByRole('status', { name: 'Loading QR code' })).toBeDefined();
  });

  it('says that it could not be created, and can try again', async () => {
    backend.answer('sign', () => problem('forbidden'));
    const user = await openAt('/app/wallet');
    expect(screen.getByRole('alert').textContent).toContain('The QR code could not be made.');
    backend.answer('sign', () => ({ signature: 'at-last' }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(shownCode()?.s).toBe('at-last');
  });
});
