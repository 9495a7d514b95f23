import type { Appearance } from '../protocol.ts';

const valueLengthMax = 200;

/** Applies the page's colours and sizes as custom properties, set through the CSSOM. */
export function applyAppearance(appearance: Appearance, backdrop: string): void {
  const { body } = document;
  body.dataset['theme'] = appearance.theme ?? 'stripe';
  body.dataset['labels'] = appearance.labels === 'floating' ? 'floating' : 'above';
  body.removeAttribute('style');
  body.style.backgroundColor = backdrop;
  for (const [name, value] of Object.entries(appearance.variables ?? {})) {
    const isName = /^[a-zA-Z][a-zA-Z0-9]*$/.test(name);
    if (isName && typeof value === 'string' && value.length <= valueLengthMax) {
      body.style.setProperty(`--${name}`, value);
    }
  }
}

/** Call it before the first paint, so that native controls (lists, carets) use the page's colour scheme. */
export function applyScheme(): void {
  const scheme = new URLSearchParams(location.search).get('scheme');
  document.documentElement.style.colorScheme = scheme === 'dark' ? 'dark' : 'light';
}
