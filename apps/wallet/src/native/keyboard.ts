import { keyboard } from './plugins.ts';

/** While the keyboard is open the page says so in `data-keyboard`, and the field that is typed in stays in sight. */
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
