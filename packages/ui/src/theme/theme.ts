import { brand } from '@athos/brand/brand';

export const THEME_CHOICES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const STORAGE_KEY = 'theme';

/** The stored choice; `system` if there is none or storage is refused. */
export function readThemeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEME_CHOICES.find((choice) => choice === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Applies a theme: sets `data-theme` on the root element, and colours the browser's bars with the background. */
export function applyThemeChoice(choice: ThemeChoice): void {
  const root = document.documentElement;
  if (choice === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = choice;
  for (const theme of ['light', 'dark'] as const) {
    const ground = brand.colours[choice === 'system' ? theme : choice].ground;
    document
      .querySelector(`meta[name="theme-color"][media="(prefers-color-scheme: ${theme})"]`)
      ?.setAttribute('content', ground);
  }
}

/** Applies a choice and stores it on this device. */
export function chooseTheme(choice: ThemeChoice): void {
  applyThemeChoice(choice);
  try {
    if (choice === 'system') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // Private windows may refuse storage. The choice then lasts until the page is closed.
  }
}
