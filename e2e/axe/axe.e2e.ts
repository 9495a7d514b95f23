/** axe finds nothing: every screen in every state, light and dark, on a phone and on a desktop. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { addresses } from '../system/addresses.ts';
import { allStates } from './all-states.ts';
import { openState, DESKTOP, PHONE } from './state.ts';

/** What depends on colours alone is all that can differ between the schemes of one size. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const LOOKS = [
  { size: PHONE, colorScheme: 'light' },
  { size: PHONE, colorScheme: 'dark', rules: COLOUR_RULES },
  { size: DESKTOP, colorScheme: 'dark' },
  { size: DESKTOP, colorScheme: 'light', rules: COLOUR_RULES },
] as const;

/** What axe finds, a line each. The card provider's own frames are looked at by the tests of the sandbox. */
async function findFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Its own copy of Playwright's types is a version ahead.
  const axePage = page as unknown as ConstructorParameters<typeof AxeBuilder>[0]['page'];
  const builder = new AxeBuilder({ page: axePage })
    .setLegacyMode(true)
    .exclude('iframe')
    // Base UI's: each hands the focus on at once, so that it never rests there.
    .exclude('[data-base-ui-focus-guard]');
  if (rules !== undefined) builder.withRules([...rules]);
  const { violations, passes } = await builder.analyze();
  if (rules === undefined) {
    // A run over nothing finds nothing.
    expect(passes.length).toBeGreaterThan(5);
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  );
}

for (const state of allStates(addresses)) {
  test(`axe finds nothing on ${state.name}`, async ({ browser }) => {
    const page = await openState(browser, state, addresses.wallet);
    for (const { size, colorScheme, ...look } of LOOKS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, 'rules' in look ? look.rules : undefined);
      expect(faults, `${size.width} px, ${colorScheme}`).toEqual([]);
    }
    await page.context().close();
  });
}
