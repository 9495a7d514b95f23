import type { Locator, Page } from '@playwright/test';

let isTypedByKey = false;

/**
 * Makes `fill` press keys in the front window, as users do. Playwright drives a stock Firefox through WebDriver BiDi,
 * where its own `fill` assigns the value through the setter that React put on the field, so that React detects no
 * change.
 */
export function typeByKey(page: Page): void {
  if (isTypedByKey) return;
  isTypedByKey = true;
  const locators = Object.getPrototypeOf(page.locator('body')) as Locator;
  const fill = Reflect.get(locators, 'fill') as Locator['fill'];
  locators.fill = async function fillByKey(this: Locator, value, options) {
    await this.page().bringToFront();
    if (value === '') return fill.call(this, value, options);
    await this.selectText(options);
    await this.pressSequentially(value, options);
  };
}
