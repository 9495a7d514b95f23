import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { builtInTexts, legalVersion } from '../samples/console-legal.ts';
import { press, see, seen } from '../steps/acts.ts';
import { seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = { isVisitor: true, answers: consoleAnswers, widths: [390, 768, 1440] } as const;

export const legalStates = [
  ...statesOf(
    'console-legal',
    { ...shared, path: '/console/legal' },
    {
      filled: { reach: seen('Waits for a vote') },
      'built-in': {
        answers: { legalTexts: builtInTexts },
        reach: seen(/^Nothing was published yet\./),
      },
      new: {
        async reach(page) {
          await press(page, 'New version');
          await see(page, /^Begins a draft with the text in force\./);
        },
      },
      loading: { answers: { legalTexts: silence } },
      failed: {
        answers: { legalTexts: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-legal-text',
    { ...shared, path: '/console/legal/5' },
    {
      draft: { reach: seen('Difference to version 3.0') },
      published: {
        answers: {
          legalTextVersion: () =>
            legalVersion({
              state: 'current',
              published_at: '2026-11-20T09:00:00.000Z',
              published_by: 'Ines Duarte',
              in_force_from: '2026-11-20T09:00:00.000Z',
            }),
        },
        reach: seen('In force from'),
      },
      publish: {
        async reach(page) {
          await press(page, 'Publish');
          await see(page, /^The provider votes on it\./);
        },
      },
      loading: { answers: { legalTextVersion: silence } },
      gone: {
        answers: { legalTextVersion: () => problem('not_found') },
        async reach(page) {
          await page.clock.fastForward(2000);
          await page.getByRole('heading', { level: 1 }).waitFor();
        },
      },
    },
  ),
];
