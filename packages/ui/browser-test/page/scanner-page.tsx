/** A page with the widget alone, or with a code as the app shows it: `?code=` takes the props of `QrCode` as JSON. */
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { applyThemeChoice } from '../../src/theme/theme.ts';
import { QrCode, type QrCodeProps } from '../../src/qr/qr-code.tsx';
import { QrScanner } from '../../src/qr/qr-scanner.tsx';
import './scanner-page.css';

function ScannerPage() {
  const [texts, setTexts] = useState<readonly string[]>([]);
  return (
    <main className="mx-auto flex max-w-form flex-col gap-4 p-6">
      <h1 className="font-display text-title font-bold">Scan Address</h1>
      <QrScanner onDecoded={(text) => setTexts((before) => [...before, text])} />
      <ol aria-label="Codes" className="sr-only">
        {texts.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
    </main>
  );
}

const query = new URLSearchParams(location.search);
const code = query.get('code');
applyThemeChoice(query.get('theme') === 'dark' ? 'dark' : 'light');

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      {code === null ? <ScannerPage /> : <QrCode {...(JSON.parse(code) as QrCodeProps)} />}
    </StrictMode>,
  );
}
