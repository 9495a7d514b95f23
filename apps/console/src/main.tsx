import { applyThemeChoice, readThemeChoice } from '@athos/ui/theme/theme';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './routes/app.tsx';
import { startApp } from './routes/start-app.ts';
import './styles.css';

applyThemeChoice(readThemeChoice());
startApp();

const container = document.querySelector('#root');
if (container === null) throw new Error('The page has no #root');
createRoot(container).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
