import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { brandPage } from './build/brand-page.ts';

export default defineConfig({
  plugins: [react({ compiler: true }), tailwindcss(), brandPage()],
  build: {
    target: 'es2023',
    manifest: 'build-manifest.json',
    // The content security policy allows nothing inline; a data: font would need an exception.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
});
