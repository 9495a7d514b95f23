import type { Appearance } from '@stripe/stripe-js';
import { brand } from '@athos/brand/brand';
import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';

const darkDevice = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

function shownTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return darkDevice().matches ? 'dark' : 'light';
}

function followDevice(listener: () => void): () => void {
  const device = darkDevice();
  device.addEventListener('change', listener);
  return () => device.removeEventListener('change', listener);
}

/** The displayed theme: the user's choice or the device's. */
export const useShownTheme = (): Theme => useSyncExternalStore(followDevice, shownTheme);

/**
 * Spec 2: the 'flat' theme with floating labels. The app's styles do not apply inside the provider's frame, so it is
 * passed the brand's colours, and radius and sizes as in `packages/ui/src/tokens.css`. A field must be darker than the
 * dialog around it; in the dark theme only the background colour is.
 */
export function cardAppearance(theme: Theme): Appearance {
  const colours = brand.colours[theme];
  return {
    theme: 'flat',
    labels: 'floating',
    variables: {
      colorPrimary: colours.accent,
      colorBackground: theme === 'light' ? colours.surfaceSunken : colours.ground,
      colorText: colours.ink,
      colorTextSecondary: colours.inkQuiet,
      colorTextPlaceholder: colours.inkQuiet,
      colorDanger: colours.danger,
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '12px',
      spacingUnit: '4px',
      gridRowSpacing: '12px',
      gridColumnSpacing: '12px',
    },
  };
}
