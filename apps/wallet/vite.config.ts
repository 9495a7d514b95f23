import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions } from '@athos/app-build/build-options';
import { noMutations } from '@athos/app-build/no-mutations';
import { serviceWorker } from '@athos/app-build/service-worker';
import { WALLET_SHELL } from '@athos/app-build/shells';
import { smallIcons } from '@athos/app-build/small-icons';
import { brandPage } from './build/brand-page.ts';
import { firstChunks } from './build/chunks.ts';
import packageFile from './package.json' with { type: 'json' };

export default defineConfig({
  // Shown in the settings.
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(packageFile.version) },
  plugins: [
    react({ compiler: true }),
    tailwindcss(),
    smallIcons(),
    noMutations(),
    brandPage(),
    // The QR decoder is needed only for sending, which needs the network, so the service worker does not cache it.
    serviceWorker({ shell: WALLET_SHELL }),
  ],
  build: {
    ...buildOptions,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [firstChunks()] },
      },
    },
  },
});
