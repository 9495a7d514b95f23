/**
 * axe finds nothing: every screen, light and dark, on a phone and on a desktop. In every one of its states with `AXE_ALL=1`
 * (`npm run axe`), which takes some minutes; in its first one otherwise.
 */
import axe from 'axe-core';
import { expect, test, type Page } from '@playwright/test';
import { addresses } from '../system/addresses.ts';
import { allStates, mainStates } from './all-states.ts';
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
  const { passCount, faults } = await page.evaluate(async (onlyRules) => {
    // A change of scheme fades colours over; what is half way is not what people read. What is drawn anew ends its animation.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations, passes } = await injected.run(
      // The focus guards are Base UI's: each hands the focus on at once, so that it never rests there.
      { exclude: [['iframe'], ['[data-base-ui-focus-guard]']] },
      {
        iframes: false,
        resultTypes: ['violations'],
        ...(onlyRules === undefined ? {} : { runOnly: [...onlyRules] }),
      },
    );
    return {
      passCount: passes.length,
      faults: violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`,
        ),
      ),
    };
  }, rules);
  // A run over nothing finds nothing.
  if (rules === undefined) expect(passCount).toBeGreaterThan(5);
  return faults;
}

const states = process.env['AXE_ALL'] === '1' ? allStates : mainStates;

for (const state of states(addresses)) {
  test(`axe finds nothing on ${state.name}`, async ({ browser }) => {
    const page = await openState(browser, state, addresses.wallet);
    // Evaluated, not added as a script: the page's own policy allows none.
    await page.evaluate(axe.source);
    for (const { size, colorScheme, ...look } of LOOKS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, 'rules' in look ? look.rules : undefined);
      expect(faults, `${size.width} px, ${colorScheme}`).toEqual([]);
    }
    await page.context().close();
  });
}
