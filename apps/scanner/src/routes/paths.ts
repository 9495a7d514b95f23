/**
 * Every address of this app, below `/scanner`. The steps of a scan share one address, because none can be opened by
 * itself.
 */
export const BASE_PATH = '/scanner';

export const paths = {
  scan: '/',
  venue: '/venue',
  today: '/today',
} as const;
