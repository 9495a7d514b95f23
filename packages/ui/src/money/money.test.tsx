// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { microAth, usdCents } from '@athos/domain/money';
import { BalanceAmount, BalanceCard, UsdApprox, balanceSizePx } from './balance.tsx';
import { TierBadge } from '../layout/tier-badge.tsx';
import { TierPanel } from '../layout/tier-panel.tsx';
import type { PanelTier } from '../layout/tier-panel.tsx';

afterEach(cleanup);

const ath = (tokens: number) => microAth(BigInt(Math.round(tokens * 100)) * 10_000n);

const tier = (id: number, title: string, tokens: number, note = ''): PanelTier => ({
  id,
  title,
  amountMicroAth: ath(tokens),
  color: '#d9a935',
  note,
});

const TIERS = [
  tier(2, 'Silver', 500, 'Presale tickets, also online.'),
  tier(1, 'Bronze', 50, 'Early access.'),
  tier(3, 'Gold', 5000, 'Backstage evenings.'),
];

function renderPanel(tokens: number) {
  render(
    <TierPanel
      tiers={TIERS}
      balance={ath(tokens)}
      symbol="ATH"
      onlineUrl="https://site.example/tiers"
    />,
  );
}

describe('balance font size', () => {
  it.each([
    [1, 40],
    [7, 40],
    [8, 34],
    [10, 34],
    [11, 28],
    [13, 28],
    [14, 24],
    [20, 24],
  ])('[S9-016] of %i digits is %i px', (digitCount, sizePx) => {
    expect(balanceSizePx(digitCount)).toBe(sizePx);
  });

  it.each([
    [12_345.67, 'text-balance-40'],
    [123_456.78, 'text-balance-34'],
    [123_456_789.01, 'text-balance-28'],
    [1_234_567_890_123.45, 'text-balance-24'],
  ])('[S9-016] counts the digits of %d as shown', (tokens, className) => {
    render(<BalanceAmount amount={ath(tokens)} symbol="ATH" />);
    expect(screen.getByText('ATH').parentElement?.classList).toContain(className);
  });
});

describe('BalanceCard', () => {
  it('shows amount, unit and dollars together', () => {
    render(<BalanceCard amount={microAth(12_500_001n)} symbol="ATH" usd={usdCents(8415n)} />);
    const block = screen.getByRole('region', { name: 'Your wallet' });
    expect(block.textContent).toContain('12.51 ATH');
    expect(block.textContent).toContain('~$84.15');
  });

  it('announces loading, and shows no amount until one is known', () => {
    render(<BalanceCard amount={undefined} symbol="ATH" usd={undefined} />);
    expect(screen.getByRole('status', { name: 'Loading balance' })).toBeDefined();
    expect(screen.getByRole('region').textContent).not.toMatch(/\d/);
  });

  it.each([
    [99_999n, '~$999.99'],
    [120_000n, '~$1.2K'],
    [345_000_000n, '~$3.45M'],
  ])('[S9-002] writes %d cents as %s', (cents, text) => {
    render(<UsdApprox amount={usdCents(cents)} />);
    expect(screen.getByText(text)).toBeDefined();
  });
});

describe('TierBadge', () => {
  it("reads '{title} Tier' and links to the given address", () => {
    render(<TierBadge tier={{ title: 'Gold', color: '#d9a935' }} to="/app/tiers" />);
    expect(screen.getByRole('link', { name: 'Gold Tier' }).getAttribute('href')).toBe('/app/tiers');
  });

  it("[D-156] reads 'No Tier Reached' without a tier", () => {
    render(<TierBadge tier={undefined} to="/app/tiers" />);
    expect(screen.getByRole('link', { name: 'No Tier Reached' })).toBeDefined();
  });
});

describe('TierPanel', () => {
  it('[S9-018] lists the tiers by amount, highest first', () => {
    renderPanel(0);
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows.map((row) => /Gold|Silver|Bronze/.exec(row ?? '')?.[0])).toEqual([
      'Gold',
      'Silver',
      'Bronze',
    ]);
  });

  it('[S9-019] tells a user without a tier what the lowest one requires', () => {
    renderPanel(49.99);
    expect(screen.getByText('No Tier Reached')).toBeDefined();
    expect(screen.getByText('You need at least 50.00 ATH to qualify for a tier!')).toBeDefined();
  });

  it('[S9-020] congratulates at the highest tier', () => {
    renderPanel(5000);
    expect(screen.getByText('Congratulations! You are at the highest tier!')).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('tells a user with a tier what the next one requires', () => {
    renderPanel(275);
    expect(screen.getByText('225.00 ATH more to reach Silver')).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  });

  it("[S9-021] turns the word 'online' of a note into a link", () => {
    renderPanel(0);
    const link = screen.getByRole('link', { name: /^online/ });
    expect(link.getAttribute('href')).toBe('https://site.example/tiers');
    expect(screen.getAllByRole('link')).toHaveLength(1);
  });
});
