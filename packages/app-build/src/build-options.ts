/** Build options shared by all apps. */
export const buildOptions = {
  target: 'es2023',
  manifest: 'build-manifest.json',
  // The content security policy forbids inline content, and a data: font would need an exception.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  chunkSizeWarningLimit: 1000,
} as const;
