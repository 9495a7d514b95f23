import { systemBars, SystemBarsStyle } from './plugins.ts';

const prefersDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? prefersDark().matches : theme === 'dark';
};

const paint = (): void =>
  // The styles are named after the background.
  void systemBars.setStyle({ style: isDark() ? SystemBarsStyle.Dark : SystemBarsStyle.Light });

/** Makes clock and battery readable on the page's background: light on the dark theme, dark on the light one. */
export function followTheme(): void {
  paint();
  prefersDark().addEventListener('change', paint);
  new MutationObserver(paint).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}
