import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions } from '@athos/app-build/build-options';
import { noMutations } from '@athos/app-build/no-mutations';
import { serviceWorker } from '@athos/app-build/service-worker';
import { SCANNER_SHELL } from '@athos/app-build/shells';
import { smallIcons } from '@athos/app-build/small-icons';
import { scannerPage } from './build/scanner-page.ts';

export default defineConfig({
  // The wallet is at the origin's root. This app is next to it and shares none of its files.
  base: '/scanner/',
  plugins: [
    react({ compiler: true }),
    tailwindcss(),
    smallIcons(),
    noMutations(),
    scannerPage(),
    serviceWorker({ shell: SCANNER_SHELL, hasDecoder: true }),
  ],
  build: buildOptions,
});
