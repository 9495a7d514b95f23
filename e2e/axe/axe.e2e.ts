/**
 * axe finds nothing on any screen, in light and dark, on a phone and on a desktop, and no text is cut off at 320 px and at
 * 200 % text. It audits the first state of each screen, or with `AXE_ALL=1` (`npm run axe`) every state, which takes some
 * minutes.
 */
import type { ScreenState } from '@athos/testing/states/screen-state';
import axe from 'axe-core';
import { expect, test, type Page } from '@playwright/test';
import { findLayoutFaults } from '../layout/faults.ts';
import { openState, PHONE, states } from '../open-state.ts';

const DESKTOP = { width: 1440, height: 900 };

/** The only rules whose result can differ between light and dark at the same size. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const LOOKS = [
  { size: PHONE, colorScheme: 'light' },
  { size: PHONE, colorScheme: 'dark', rules: COLOUR_RULES },
  { size: DESKTOP, colorScheme: 'dark' },
  { size: DESKTOP, colorScheme: 'light', rules: COLOUR_RULES },
] as const;

/** The findings of axe, one per line, without the card provider's frames, which the sandbox's own tests cover. */
async function findFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  const { passCount, faults } = await page.evaluate(async (onlyRules) => {
    // Colours fade when the scheme changes, so wait. The animation of an element that is rendered again rejects.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations, passes } = await injected.run(
      // Base UI's focus guards move the focus on at once, so no user notices them.
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
  // An audit of an empty page would find nothing either.
  if (rules === undefined) expect(passCount).toBeGreaterThan(5);
  return faults;
}

const audited = states.filter(({ isBrief }) => isBrief === undefined);

/** The first state of each screen and of each address. */
function mainStates(): readonly ScreenState[] {
  const seen = new Set<string>();
  return audited.filter(({ name, path, isVisitor }) => {
    const keys = [name.split('/')[0] ?? '', `${isVisitor ?? false} ${path.split('?')[0]}`];
    const isNew = keys.some((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}

for (const state of process.env['AXE_ALL'] === '1' ? audited : mainStates()) {
  const row = state.path.startsWith('/console') ? '[O-164] ' : '';
  test(`${row}axe finds nothing on ${state.name}, and no text is cut off`, async ({ browser }) => {
    const page = await openState(browser, state);
    // As a script it would be blocked by the page's content security policy.
    await page.evaluate(axe.source);
    for (const { size, colorScheme, ...look } of LOOKS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const faults = await findFaults(page, 'rules' in look ? look.rules : undefined);
      expect(faults, `${size.width} px, ${colorScheme}`).toEqual([]);
    }
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.context().close();
  });
}
