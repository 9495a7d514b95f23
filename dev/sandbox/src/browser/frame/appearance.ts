import type { Appearance } from '../protocol.ts';

const valueLengthMax = 200;

/** Gives the page's colours and sizes to the style sheet, as custom properties through the CSSOM. */
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

/** Before the first paint: the native parts (lists, carets) take the page's scheme. */
export function applyScheme(): void {
  const scheme = new URLSearchParams(location.search).get('scheme');
  document.documentElement.style.colorScheme = scheme === 'dark' ? 'dark' : 'light';
}
