import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { smallIcons } from '@athos/app-build/small-icons';
import { consolePage } from './build/console-page.ts';

export default defineConfig({
  base: '/console/',
  plugins: [react({ compiler: true }), tailwindcss(), smallIcons(), consolePage()],
  build: {
    target: 'es2023',
    manifest: 'build-manifest.json',
    // The content security policy forbids inline content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
