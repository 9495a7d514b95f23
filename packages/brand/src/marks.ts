import type { Mark } from './types.ts';

/** A drop with a peak inside: the beverage, and the capital A of the name. */
export const athosMark: Mark = {
  title: 'Athos',
  viewBoxSide: 48,
  paths: [
    'M24 2.5C22.6 2.5 7 18.4 7 30.2 7 39.2 14.6 46 24 46s17-6.8 17-15.8C41 18.4 25.4 2.5 24 2.5ZM24 17.6c.9 0 1.7.5 2.1 1.3l8 16.6c.6 1.2-.3 2.5-1.6 2.5h-1.9c-.7 0-1.3-.4-1.6-1L24 26.6 19 37c-.3.6-.9 1-1.6 1h-1.9c-1.3 0-2.2-1.3-1.6-2.5l8-16.6c.4-.8 1.2-1.3 2.1-1.3Z',
  ],
};

/** Audio level bars. */
export const liveMark: Mark = {
  title: 'Athos Live',
  viewBoxSide: 48,
  paths: [
    'M8 19a3 3 0 0 1 6 0v10a3 3 0 0 1-6 0ZM17 11a3 3 0 0 1 6 0v26a3 3 0 0 1-6 0ZM26 16a3 3 0 0 1 6 0v16a3 3 0 0 1-6 0ZM35 21a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0Z',
  ],
};

/** A steering wheel. */
export const driveMark: Mark = {
  title: 'Athos Drive',
  viewBoxSide: 48,
  paths: [
    'M24 5a19 19 0 1 0 0 38 19 19 0 0 0 0-38Zm0 5.5a13.5 13.5 0 0 1 13.1 10.2l-8.3 1.2a5.2 5.2 0 0 0-9.6 0l-8.3-1.2A13.5 13.5 0 0 1 24 10.5ZM10.6 26.1l8.5 1.2a5.2 5.2 0 0 0 2.3 1.9l-.3 7.9a13.5 13.5 0 0 1-10.5-11Zm16.3 11-.3-7.9a5.2 5.2 0 0 0 2.3-1.9l8.5-1.2a13.5 13.5 0 0 1-10.5 11Z',
  ],
};

/** A globe with its meridian. */
export const meridianMark: Mark = {
  title: 'Meridian Pay',
  viewBoxSide: 48,
  paths: [
    'M24 4a20 20 0 1 0 0 40 20 20 0 0 0 0-40Zm0 5c.9 0 1.8.1 2.7.2C21.5 12.8 18.5 18.2 18.5 24s3 11.2 8.2 14.8c-.9.1-1.8.2-2.7.2a15 15 0 0 1 0-30Zm7.6 2.1A15 15 0 0 1 39 24a15 15 0 0 1-7.4 12.9C26.3 34.3 23.5 29.4 23.5 24s2.8-10.3 8.1-12.9Z',
  ],
};
