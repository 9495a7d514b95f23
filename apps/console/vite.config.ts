import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions } from '@athos/app-build/build-options';
import { smallIcons } from '@athos/app-build/small-icons';
import { consolePage } from './build/console-page.ts';

export default defineConfig({
  base: '/console/',
  plugins: [react({ compiler: true }), tailwindcss(), smallIcons(), consolePage()],
  build: buildOptions,
});
