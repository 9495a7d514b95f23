// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerOffers, wireCategory, wireOffer } from '@athos/testing/samples/catalogue';
import { problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt, passLoading } from '../../../test/signed-in.tsx';

const TIERS = [
  { id: 1, title: 'Bronze', amount: '100000000', color: '#b08d57', note: '' },
  { id: 2, title: 'Silver', amount: '1000000000', color: '#c0c0c0', note: '' },
  { id: 3, title: 'Gold', amount: '1234567891', color: '#d4af37', note: '' },
];

const category = (id: number, title: string) => ({
  id,
  parent_id: null,
  title,
  description: `All about ${title}`,
  banner_url: id === 1 ? '/art/music.svg' : '',
  picture: null,
  position: id,
  display_type: 'row' as const,
  offers: [],
  categories: [],
});

const pending = (id: string, state: 'open' | 'processing') => ({
  id,
  token_amount: '50000000',
  total: 934,
  exchange_rate: 0.1683,
  created_at: '2026-11-21T11:59:00.000Z',
  expires_at: '2026-11-21T12:14:00.000Z',
  state,
});

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const walletBlock = () => within(screen.getByRole('region', { name: 'Your wallet' }));

/** The amount with its unit. */
const shownBalance = () => walletBlock().getByText('ATH').parentElement?.textContent;

function haveBalance(ATH: string): void {
  backend.answer('balance', () => ({ balance: ATH, balances: { ATH, ATH2: '0', ATH3: '0' } }));
}

describe('wallet block', () => {
  it('[S1-003] [S1-008] [S2-045] [S3-005] [S3-006] [D-011] shows the balance in ATH with its USD', async () => {
    await openAt('/app');
    expect(shownBalance()).toBe('1,234.57 ATH');
    expect(walletBlock().getByText('~$207.78')).toBeDefined();
  });

  it('[S9-001] rounds the balance up', async () => {
    haveBalance('1');
    await openAt('/app');
    expect(shownBalance()).toBe('0.01 ATH');
  });

  it.each([
    ['999990000', '999.99 ATH', '~$168.30'],
    ['5941770000', '5,941.77 ATH', '~$1K'],
    ['7000000000', '7,000.00 ATH', '~$1.17K'],
    ['7000000000000', '7,000,000.00 ATH', '~$1.17M'],
  ])(
    '[S9-002] [S9-003] shows %s micro-units as %s and, at the rate of 0.1683, as %s',
    async (balance, ath, usd) => {
      haveBalance(balance);
      await openAt('/app');
      expect(shownBalance()).toBe(ath);
      expect(walletBlock().getByText(usd)).toBeDefined();
    },
  );

  it('shows the USD at the fallback rate if no rate is known', async () => {
    backend.answer('exchangeRate', () => problem('not_found'));
    await openAt('/app');
    expect(walletBlock().getByText('~$207.78')).toBeDefined();
  });

  it.each([
    ['S2-046', 'Send', '/app/send'],
    ['S2-047', 'Buy $Ath', '/app/buy'],
  ])('[%s] links with %s to %s', async (_id, name, address) => {
    const user = await openAt('/app');
    await user.click(walletBlock().getByRole('link', { name }));
    expect(currentAddress()).toBe(address);
  });

  it('[S2-048] [D-120] links with Tiers to the website, with the uuid', async () => {
    await openAt('/app');
    expect(
      walletBlock()
        .getByRole('link', { name: /^Tiers/ })
        .getAttribute('href'),
    ).toBe(
      `https://athos.example/tiers?utm_source=wallet&utm_medium=app&utm_campaign=tiers&uid=${FAKE_UUID}`,
    );
  });

  it('shows a skeleton while the balance loads', async () => {
    backend.answer('balance', silence);
    await openAt('/app');
    expect(walletBlock().getByRole('status', { name: 'Loading balance' })).toBeDefined();
    expect(walletBlock().queryByText(/Tier$|No Tier/)).toBeNull();
  });

  it('says that the balance could not be loaded, and can try again', async () => {
    backend.answer('balance', () => problem('forbidden'));
    const user = await openAt('/app');
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('Your balance could not be loaded. Your funds are safe.');
    haveBalance('5000000');
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await pass();
    expect(walletBlock().getByText(/^5\.00/)).toBeDefined();
  });
});

describe('tier badge', () => {
  it('[S3-021] names the highest tier of at most the raw balance, not of the rounded one', async () => {
    backend.answer('tiers', () => ({ tiers: TIERS }));
    await openAt('/app');
    // 1,234.567890 ATH: shown as 1,234.57, one micro-unit below Gold.
    expect(walletBlock().getByText('Silver Tier')).toBeDefined();
  });

  it('[D-156] says No Tier Reached without a tier', async () => {
    backend.answer('tiers', () => ({ tiers: TIERS }));
    haveBalance('99999999');
    await openAt('/app');
    expect(walletBlock().getByText('No Tier Reached')).toBeDefined();
  });

  it('[S2-049] [D-119] reads Silver Tier and leads to /app/tiers', async () => {
    backend.answer('tiers', () => ({ tiers: TIERS }));
    const user = await openAt('/app');
    await user.click(walletBlock().getByRole('link', { name: 'Silver Tier' }));
    expect(currentAddress()).toBe('/app/tiers');
  });

  it('[S2-049] reads No Tier Reached without a tier and still leads to /app/tiers', async () => {
    backend.answer('tiers', () => ({ tiers: TIERS }));
    haveBalance('0');
    const user = await openAt('/app');
    await user.click(walletBlock().getByRole('link', { name: 'No Tier Reached' }));
    expect(currentAddress()).toBe('/app/tiers');
  });
});

describe('marketplace', () => {
  it('[S2-044] lists the top-level categories under Marketplace', async () => {
    backend.answer('categories', () => ({
      categories: [category(1, 'Music'), category(2, 'Supercars')],
    }));
    await openAt('/app');
    const section = within(screen.getByRole('region', { name: 'Marketplace' }));
    expect(section.getByRole('heading', { level: 2, name: 'Marketplace' })).toBeDefined();
    expect(section.getAllByRole('listitem')).toHaveLength(2);
    expect(section.getByRole('heading', { name: 'Music' })).toBeDefined();
    expect(section.getByText('All about Supercars')).toBeDefined();
  });

  it('[S1-015] can be browsed from a category to one of its offers', async () => {
    backend.answer('categories', () => ({ categories: [wireCategory(7, { title: 'Music' })] }));
    answerOffers(backend, wireOffer(1, { title: 'Vinyl night' }));
    const user = await openAt('/app');
    await user.click(screen.getByRole('link', { name: /^Music/ }));
    expect(currentAddress()).toBe('/app/marketplace/categories/7');
    await pass();
    await user.click(screen.getByRole('link', { name: /^Vinyl night/ }));
    await pass();
    expect(currentAddress()).toBe('/app/marketplace/categories/7/offers/1');
    expect(screen.getByRole('button', { name: 'Add to cart' })).toBeDefined();
  });

  it('shows each category in its display type', async () => {
    const types = ['row', 'grid', 'featured', 'list'] as const;
    backend.answer('categories', () => ({
      categories: types.map((display_type, index) => ({
        ...category(index + 1, display_type),
        display_type,
      })),
    }));
    await openAt('/app');
    const looks = types.map((title) =>
      screen.getByRole('link', { name: new RegExp(`^${title}`) }).outerHTML.replaceAll(title, ''),
    );
    expect(new Set(looks.map((look) => look.replaceAll(/\d/g, ''))).size).toBe(types.length);
  });

  it('shows a skeleton while it loads', async () => {
    backend.answer('categories', silence);
    await openAt('/app');
    expect(screen.getByRole('status', { name: 'Loading the marketplace' })).toBeDefined();
  });

  it('offers to try again after a failure', async () => {
    backend.answer('categories', () => problem('forbidden'));
    const user = await openAt('/app');
    expect(screen.getByText('The marketplace could not be loaded.')).toBeDefined();
    backend.answer('categories', () => ({ categories: [category(1, 'Music')] }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.getByRole('heading', { name: 'Music' })).toBeDefined();
  });

  it('says that there is nothing yet', async () => {
    await openAt('/app');
    expect(screen.getByText('New offers show up here.')).toBeDefined();
  });
});

/** Opens home after loading the code of the parts that only some users see. */
async function openWithNotice() {
  const user = await openAt('/app');
  await passLoading();
  return user;
}

describe('pending purchase', () => {
  it('[D-128] is shown with its amount while the bank confirms', async () => {
    backend.answer('pendingPayments', () => ({ pending: [pending('a', 'processing')] }));
    await openWithNotice();
    expect(screen.getByText('Purchase on its way')).toBeDefined();
    expect(screen.getByText(/50\.00 ATH will be credited/)).toBeDefined();
  });

  it('[D-128] is shown while it waits for the card: the newest, with a link to pay it', async () => {
    backend.answer('pendingPayments', () => ({
      pending: [pending('b', 'open'), { ...pending('a', 'open'), token_amount: '1000000' }],
    }));
    const user = await openWithNotice();
    expect(screen.getByText(/^50\.00 ATH for \$9\.34 wait for your card/)).toBeDefined();
    expect(screen.queryByText(/1\.00 ATH for/)).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Continue paying' }));
    expect(currentAddress()).toBe('/app/buy');
  });

  it('is no longer shown once it is final', async () => {
    backend.answer('pendingPayments', () => ({ pending: [pending('a', 'processing')] }));
    await openWithNotice();
    backend.answer('pendingPayments', () => ({ pending: [] }));
    await pass(15_000);
    expect(screen.queryByText('Purchase on its way')).toBeNull();
  });
});

describe('balance', () => {
  it('[S7-033] is fetched again every 15 s while signed in', async () => {
    await openAt('/app', { live: true });
    const first = backend.calls('balance').length;
    await pass(14_000);
    expect(backend.calls('balance')).toHaveLength(first);
    haveBalance('2000000');
    await pass(1000);
    expect(backend.calls('balance')).toHaveLength(first + 1);
    expect(walletBlock().getByText(/^2\.00/)).toBeDefined();
    await pass(15_000);
    expect(backend.calls('balance')).toHaveLength(first + 2);
  });
});

describe('an empty wallet', () => {
  const steps = () => screen.queryByRole('region', { name: 'Fill your wallet' });
  const SENT = {
    type: 'Send' as const,
    data: {
      id: 7,
      date: '2026-11-20T18:04:00.000Z',
      amount: '12500000',
      asset: 'ATH' as const,
      counterparty: FAKE_UUID,
    },
  };

  it('is filled by buying the first ATH or by a reward code', async () => {
    haveBalance('0');
    const user = await openWithNotice();
    const links = within(steps() as HTMLElement).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Buy your first ATH By card, from $10.00 ', '/app/buy'],
      ['Enter a reward code Type it, paste it or scan it ', '/app/settings/reward-code'],
    ]);
    expect(backend.calls('allHistory').map(({ query }) => query.get('limit'))).toEqual(['1']);
    await user.click(links[1] as HTMLElement);
    expect(currentAddress()).toBe('/app/settings/reward-code');
  });

  it('does not say “first” to somebody who has spent everything', async () => {
    haveBalance('0');
    backend.answer('allHistory', () => ({ history: [SENT], next_cursor: null }));
    await openWithNotice();
    expect(within(steps() as HTMLElement).getByRole('link', { name: /^Buy ATH/ })).toBeDefined();
  });

  it('is not told about it while a purchase is on its way, nor with a balance', async () => {
    haveBalance('0');
    backend.answer('pendingPayments', () => ({ pending: [pending('a', 'processing')] }));
    await openWithNotice();
    expect(steps()).toBeNull();
    endTest();
    useFakeTime();
    backend = installFakeBackend(walletAnswers);
    haveBalance('1');
    await openWithNotice();
    expect(steps()).toBeNull();
    expect(backend.calls('allHistory')).toHaveLength(0);
  });
});

describe('the banner of an open purchase', () => {
  it('says when it ends, and cancels it', async () => {
    backend.answer('pendingPayments', () => ({ pending: [pending('a', 'open')] }));
    backend.answer('cancelPayment', () => ({ stripe_status: 2, error: null }));
    const user = await openWithNotice();
    expect(screen.getByRole('timer').textContent).toBe('Ends in 14:00');
    backend.answer('pendingPayments', () => ({ pending: [] }));
    await user.click(screen.getByRole('button', { name: 'Cancel purchase' }));
    await pass();
    expect(screen.getByText('The purchase was canceled. Nothing was charged.')).toBeDefined();
    expect(screen.queryByText('An open purchase')).toBeNull();
  });
});
