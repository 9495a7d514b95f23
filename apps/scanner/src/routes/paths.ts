/** Every address of this app, below `/scanner`. The screens of a scan are states of one address: none can be opened by itself. */
export const BASE_PATH = '/scanner';

export const paths = {
  scan: '/',
  venue: '/venue',
  today: '/today',
} as const;
