import { isNetworkLost } from '@athos/app-core/network';
import { applyThemeChoice, readThemeChoice } from '@athos/ui/theme/theme';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { isInShell } from './native/shell.ts';
import { App } from './routes/app.tsx';
import { startApp } from './routes/start-app.ts';
import './styles.css';

applyThemeChoice(readThemeChoice());
// The packaged app reads its token asynchronously from the phone's secure storage, behind the splash screen.
if (isInShell()) {
  void import('./routes/start-shell.ts').then(
    ({ startShell }) => startShell(startApp, isNetworkLost),
    startApp,
  );
} else startApp();

const container = document.querySelector('#root');
if (container === null) throw new Error('The page has no #root');
const root = createRoot(container);
// React renders a transition in slices of 5 ms, and anything else in one piece.
startTransition(() => {
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});
