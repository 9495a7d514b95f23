// @vitest-environment jsdom
import { applyThemeChoice, chooseTheme, readThemeChoice } from '@athos/ui/theme/theme';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { themeScript } from '@athos/app-build/theme-script';

const shown = () => document.documentElement.dataset['theme'];

function runScript(): void {
  delete document.documentElement.dataset['theme'];
  const element = document.createElement('script');
  element.textContent = themeScript;
  document.head.append(element);
}

afterEach(() => chooseTheme('system'));

describe('the theme script', () => {
  it.each(['system', 'light', 'dark'] as const)(
    'applies the theme that the app applies later: %s',
    (choice) => {
      chooseTheme(choice);
      runScript();
      const early = shown();
      applyThemeChoice(readThemeChoice());
      expect(early).toBe(shown());
      expect(early).toBe(choice === 'system' ? undefined : choice);
    },
  );

  it('ignores any other stored value', () => {
    localStorage.setItem('theme', 'pink');
    runScript();
    expect(shown()).toBeUndefined();
  });

  it("keeps the device's theme if storage is refused", () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    expect(runScript).not.toThrow();
    expect(shown()).toBeUndefined();
  });
});
