import { expect, it } from 'vitest';
import { BASE_PATH, paths } from './paths.ts';

it('[D-079] keeps all addresses below /scanner', () => {
  expect(Object.values(paths).map((path) => BASE_PATH + path)).toEqual([
    '/scanner/',
    '/scanner/venue',
    '/scanner/today',
  ]);
});
