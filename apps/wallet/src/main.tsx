import { isNetworkLost } from '@athos/app-core/network';
import { applyThemeChoice, readThemeChoice } from '@athos/ui/theme/theme';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { isInShell } from './native/shell.ts';
import { App } from './routes/app.tsx';
import { startApp } from './routes/start-app.ts';
import './styles.css';

applyThemeChoice(readThemeChoice());
// The packaged app's token is in the phone's secure storage, which answers later; the splash screen waits.
if (isInShell()) {
  void import('./routes/start-shell.ts').then(
    ({ startShell }) => startShell(startApp, isNetworkLost),
    startApp,
  );
} else startApp();

const container = document.querySelector('#root');
if (container === null) throw new Error('The page has no #root');
const root = createRoot(container);
// A transition is drawn in slices of 5 ms, anything else in one piece.
startTransition(() => {
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
