import { keyboard } from './plugins.ts';

/** Sets `data-keyboard` on the page while the keyboard is open, and keeps the focused field in view. */
export async function followKeyboard(): Promise<void> {
  const root = document.documentElement;
  await keyboard.addListener('keyboardDidShow', () => {
    root.dataset['keyboard'] = 'open';
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  });
  await keyboard.addListener('keyboardWillHide', () => {
    delete root.dataset['keyboard'];
  });
}
