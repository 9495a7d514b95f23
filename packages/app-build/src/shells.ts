/** The addresses that each app's service worker answers, and the names of its caches. */

export interface AppShell {
  readonly page: string;
  readonly pageAddresses: string;
  readonly assets: string;
  readonly cachePrefix: string;
}

export const WALLET_SHELL: AppShell = {
  page: '/app',
  pageAddresses: '^/(?:$|(?:app|auth)(?:/|$)|(?:terms|privacy|user-data-deletion|receipt)$)',
  assets: '/assets/',
  cachePrefix: 'shell-',
};

export const SCANNER_SHELL: AppShell = {
  page: '/scanner',
  pageAddresses: '^/scanner(?:$|/(?!assets/))',
  assets: '/scanner/assets/',
  cachePrefix: 'scanner-shell-',
};
