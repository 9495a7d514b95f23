import type { BrowserContext } from '@playwright/test';
import { problem, silence } from '../fake-api.ts';
import { PICTURE_ID, pictureSample } from '../samples/console-pictures.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen } from '../steps/acts.ts';
import { emptyList, seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10" width="1280" height="800"><path fill="#26384f" d="M0 0h16v10H0z"/><circle cx="5" cy="7" r="2" fill="#ffb454"/></svg>';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
  prepare: (context: BrowserContext) =>
    context.route('**/media/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: DRAWING }),
    ),
} as const;

const readOnly = { me: () => staffWith(['auditor']) };

export const consolePictureStates = [
  ...statesOf(
    'console-pictures',
    { ...shared, path: '/console/pictures' },
    {
      filled: { reach: seen('A red scarf') },
      empty: { answers: { pictures: emptyList }, reach: seen('There are no pictures here.') },
      loading: { answers: { pictures: silence } },
      failed: { answers: { pictures: () => problem('internal_error') }, reach: seeFailure },
      refused: {
        async reach(page) {
          await page.locator('input[type=file]').setInputFiles({
            name: 'price-list.pdf',
            mimeType: 'application/pdf',
            buffer: Buffer.from('%PDF'),
          });
          await see(page, /Only JPEG, PNG/);
        },
      },
      'read-only': { answers: readOnly, reach: seen(/Needs the permission catalogue.edit/) },
    },
  ),
  ...statesOf(
    'console-picture',
    { ...shared, path: `/console/pictures/${PICTURE_ID}` },
    {
      filled: { reach: seen('Night at the Harbour Stage') },
      removing: {
        answers: { picture: () => pictureSample({ use_count: 0, uses: [], is_removable: true }) },
        async reach(page) {
          await press(page, 'Remove');
          await see(page, /Deletes the picture/);
        },
      },
      'not-found': {
        answers: { picture: () => problem('not_found') },
        reach: seen('Not found'),
      },
    },
  ),
];
