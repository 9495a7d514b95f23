import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions } from '@athos/app-build/build-options';
import { smallIcons } from '@athos/app-build/small-icons';
import { consolePage } from './build/console-page.ts';

/**
 * The oldest browsers with `light-dark()`. For older ones the build would replace it by variables of the whole page, so a preview could not
 * have another theme than the page. Staff use current browsers; the wallet's customers may not.
 */
const WITH_LIGHT_DARK = ['chrome123', 'firefox120', 'safari17.5'];

export default defineConfig({
  base: '/console/',
  plugins: [react({ compiler: true }), tailwindcss(), smallIcons(), consolePage()],
  build: { ...buildOptions, cssTarget: WITH_LIGHT_DARK },
});
