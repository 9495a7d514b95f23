// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerOffers, wireCategory, wireOffer } from '@athos/testing/samples/catalogue';
import { problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';

const CATEGORY = '/app/marketplace/categories/7';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(endTest);

const child = (id: number, title: string) => ({
  ...wireCategory(id, { title, parent_id: 7 }),
  categories: [],
});
const titles = () => screen.getAllByRole('heading', { level: 3 }).map((h3) => h3.textContent);
const searchBox = () => screen.getByRole('searchbox');
const back = () => screen.getByRole('link', { name: 'Back' }).getAttribute('href');

function answerMixed(): void {
  backend.answer('category', () =>
    wireCategory(7, {
      title: 'Live music',
      categories: [child(8, 'Festivals'), child(9, 'Jazz cellar')],
      offers: [
        wireOffer(1, { title: '**Vinyl** night' }),
        wireOffer(2, { title: 'Harbour festival', display_type: 'wide' }),
        wireOffer(3, { title: 'Tip the stage crew', kind: 3, display_type: 'banner' }),
      ],
    }),
  );
}

describe('category', () => {
  it('[S2-051] [S2-052] lists its subcategories and its offers', async () => {
    answerMixed();
    await openAt(CATEGORY);
    expect(screen.getByRole('heading', { level: 1, name: 'Live music' })).toBeDefined();
    const subcategories = within(screen.getByRole('region', { name: 'Categories in Live music' }));
    expect(subcategories.getAllByRole('listitem')).toHaveLength(2);
    const offers = within(screen.getByRole('region', { name: 'Offers in Live music' }));
    expect(offers.getAllByRole('listitem')).toHaveLength(3);
  });

  it('[S3-012] shows the title of an offer as markdown', async () => {
    answerMixed();
    await openAt(CATEGORY);
    const title = screen.getByRole('heading', { level: 3, name: 'Vinyl night' });
    expect(title.querySelector('strong')?.textContent).toBe('Vinyl');
  });

  it('shows the price in ATH with its USD, and none for a tip', async () => {
    answerMixed();
    await openAt(CATEGORY);
    const [, , vinyl, , tip] = screen.getAllByRole('listitem');
    expect(vinyl?.textContent).toContain('12.50 ATH');
    expect(vinyl?.textContent).toContain('~$2.10');
    expect(tip?.textContent).toContain('Tip the stage crew');
    expect(tip?.textContent).not.toMatch(/\d/);
  });

  it('leads to a subcategory and to an offer', async () => {
    answerMixed();
    await openAt(CATEGORY);
    expect(screen.getByRole('link', { name: /^Festivals/ }).getAttribute('href')).toBe(
      '/app/marketplace/categories/8',
    );
    expect(screen.getByRole('link', { name: /^Vinyl night/ }).getAttribute('href')).toBe(
      '/app/marketplace/categories/7/offers/1',
    );
  });

  it.each([
    ['not on sale yet', { sale_starts_at: '2026-12-01T00:00:00.000Z' }, 'Not on sale yet'],
    ['over', { sale_ends_at: '2026-11-21T12:00:00.000Z' }, 'Sale is over'],
    ['sold out', { stock_left: 0 }, 'Sold out'],
    ['nearly sold out', { stock_left: 3 }, 'Only 3 left'],
    ['withdrawn', { active: false }, 'Not available'],
  ])('says that an offer is %s', async (_name, fields, words) => {
    answerOffers(backend, wireOffer(1, fields));
    await openAt(CATEGORY);
    expect(screen.getByRole('listitem').textContent).toContain(words);
  });

  it('shows the end of a sale while the category is open', async () => {
    answerOffers(backend, wireOffer(1, { sale_ends_at: '2026-11-21T12:00:07.000Z' }));
    await openAt(CATEGORY);
    expect(screen.queryByText('Sale is over')).toBeNull();
    await pass(10_000);
    expect(screen.getByText('Sale is over')).toBeDefined();
  });

  it('fetches only the first pictures at once', async () => {
    answerOffers(backend, ...Array.from({ length: 100 }, (_, index) => wireOffer(index + 1)));
    await openAt(CATEGORY);
    const loading = [...document.querySelectorAll('img')].map((image) =>
      image.getAttribute('loading'),
    );
    expect(loading.filter((value) => value === 'eager')).toHaveLength(2);
    expect(loading.filter((value) => value === 'lazy')).toHaveLength(98);
  });
});

describe('back', () => {
  it("[S2-053] goes to the parent category when there is a 'parent_id'", async () => {
    backend.answer('category', () => wireCategory(8, { parent_id: 7 }));
    const user = await openAt('/app/marketplace/categories/8');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe(CATEGORY);
  });

  it("[S2-054] goes to /app without a 'parent_id'", async () => {
    answerMixed();
    const user = await openAt(CATEGORY);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });
});

describe('id', () => {
  it.each(['7', '007', '7-live-music'])('[S2-055] is parsed as an integer: %s', async (text) => {
    answerMixed();
    await openAt(`/app/marketplace/categories/${text}`);
    expect(backend.calls('category').map(({ params }) => params['id'])).toEqual(['7']);
  });

  it.each(['music', '0', '-3'])(
    '[S2-055] requests nothing unless it is an integer: %s',
    async (text) => {
      await openAt(`/app/marketplace/categories/${text}`);
      expect(screen.getByText('This category does not exist')).toBeDefined();
      expect(backend.calls('category')).toEqual([]);
    },
  );

  it('says that the category is unknown and links onwards', async () => {
    backend.answer('category', () => problem('not_found'));
    await openAt('/app/marketplace/categories/99');
    expect(screen.getByText('This category does not exist')).toBeDefined();
    const link = screen.getByRole('link', { name: 'Go to the marketplace' });
    expect(link.getAttribute('href')).toBe('/app');
  });
});

describe('search', () => {
  it("[S2-050] [S5-029] filters subcategories and offers by the shared header's search box", async () => {
    answerMixed();
    const user = await openAt(CATEGORY);
    expect(searchBox().getAttribute('placeholder')).toBe('Search...');
    await user.type(searchBox(), 'FEST');
    expect(titles()).toEqual(['Festivals', 'Harbour festival']);
    await user.clear(searchBox());
    await user.type(searchBox(), ' jazz ');
    expect(titles()).toEqual(['Jazz cellar']);
  });

  it('[S5-029] matches the text of a title, not its markup or surrounding spaces', async () => {
    answerOffers(backend, wireOffer(1, { title: '  **Vinyl** night ' }), wireOffer(2));
    const user = await openAt(CATEGORY);
    await user.type(searchBox(), 'vinyl n');
    expect(titles()).toEqual(['Vinyl night']);
  });

  it("[S8-008] says 'Your search returned no results in {title}'", async () => {
    answerMixed();
    const user = await openAt(CATEGORY);
    await user.type(searchBox(), 'opera');
    expect(screen.getByText('Your search returned no results in Live music')).toBeDefined();
    expect(screen.queryByRole('listitem')).toBeNull();
    await user.click(screen.getAllByRole('button', { name: 'Clear search' })[0] as Element);
    expect(titles()).toHaveLength(5);
  });
});

describe('loading', () => {
  it("[S8-009] says 'Nothing available in {title}' for an empty category", async () => {
    backend.answer('category', () => wireCategory(7, { title: 'Live music' }));
    await openAt(CATEGORY);
    expect(screen.getByText('Nothing available in Live music')).toBeDefined();
  });

  it('shows a skeleton under the title known from home', async () => {
    backend.answer('categories', () => ({
      categories: [wireCategory(6, { categories: [child(7, 'Live music')] })],
    }));
    backend.answer('category', silence);
    await openAt(CATEGORY);
    expect(screen.getByRole('status', { name: 'Loading offers' })).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Live music' })).toBeDefined();
    expect(back()).toBe('/app/marketplace/categories/6');
  });

  it('[S4-030] is not repeated when the same category is opened again', async () => {
    answerOffers(backend, wireOffer(1));
    const user = await openAt(CATEGORY);
    await user.click(screen.getByRole('link', { name: /^Offer 1/ }));
    await pass(600_000);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await pass();
    expect(titles()).toEqual(['Offer 1']);
    expect(backend.calls('category')).toHaveLength(1);
  });

  it('[S4-030] [S4-031] happens again when the id changes, and shows nothing of either category meanwhile', async () => {
    answerMixed();
    const user = await openAt(CATEGORY);
    backend.answer('category', () => wireCategory(8, { title: 'Festivals', parent_id: 7 }));
    await user.click(screen.getByRole('link', { name: /^Festivals/ }));
    await pass();
    expect(screen.getByText('Nothing available in Festivals')).toBeDefined();
    backend.answer('category', silence);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await pass();
    expect(backend.calls('category').map(({ params }) => params['id'])).toEqual(['7', '8', '7']);
    expect(screen.queryByRole('listitem')).toBeNull();
    expect(screen.getByRole('status', { name: 'Loading offers' })).toBeDefined();
  });

  it('[S8-032] logs a failure and offers to try again', async () => {
    backend.answer('category', () => problem('forbidden'));
    const user = await openAt(CATEGORY);
    expect(console.warn).toHaveBeenCalledWith(
      'call_failed',
      expect.objectContaining({ name: 'category', code: 'forbidden' }),
    );
    expect(screen.getByText('These offers could not be loaded.')).toBeDefined();
    answerMixed();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(titles()).toHaveLength(5);
  });
});
