/** What staff did for the organization in the demo's past: devices at the venues, and a new version of the privacy policy. */
import { API_PREFIX } from '@athos/contract/call';
import { buildApp } from '../../app.ts';
import { invariant } from '../../platform/errors.ts';
import type { AskConsole } from './console.ts';
import { FIRST_OF_CREWS } from './crews.ts';
import type { Event } from './staff-acts.ts';
import { pastKey, userOf, type World } from './world.ts';

const TABLET =
  'Mozilla/5.0 (Linux; Android 15; Pixel Tablet) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** One device for each of the crews, in their order. */
const DEVICES = [
  { name: 'Tablet at the bar', userAgent: TABLET },
  { name: 'Telephone of Rolf', userAgent: PHONE },
  { name: 'Tablet at the door', userAgent: TABLET },
  { name: 'Telephone of Tom', userAgent: PHONE },
] as const;

/** The crews sign in to the scanner, and enrol their devices with codes that their leads handed out. */
async function enrolDevices(world: World, ask: AskConsole): Promise<void> {
  const { deps, crews, venueIds } = world;
  const app = await buildApp(deps);
  const places = crews.flatMap((crew, venue) => crew.map(() => venueIds[venue] ?? 0));
  try {
    for (const [index, { name, userAgent }] of DEVICES.entries()) {
      const user = userOf(world, FIRST_OF_CREWS + index);
      const params = { id: places[index] ?? 0 };
      const { code } = await ask('scanner_lead', 'createEnrolment', { params, body: { name } });
      const token = await deps.sessions.open(deps.db, user);
      const answer = await app.inject({
        method: 'POST',
        url: `${API_PREFIX}/scanner/device`,
        headers: {
          authorization: `Bearer ${token}`,
          'user-agent': userAgent,
          'x-device-id': pastKey(world, `device ${name}`),
        },
        payload: { enrolment_code: code },
      });
      invariant(answer.statusCode === 200, `${name} is enrolled: ${answer.body}`);
    }
  } finally {
    await app.close();
  }
}

export function houseEvents(world: World, ask: AskConsole): readonly Event[] {
  let id: string | number = '';
  const draft = (label: string, more: string) => async () => {
    const { in_force: texts } = await ask('brand_manager', 'legalTexts');
    const privacy = texts.find(({ kind }) => kind === 'privacy')?.body ?? '';
    const body = { kind: 'privacy' as const, label, body: `${privacy}\n\n${more}` };
    ({ id } = await ask('brand_manager', 'draftLegalText', { body }));
  };
  return [
    { at: 0.57, run: draft('2.0', '## Questions\n\nAsk us at the counter, or write to support.') },
    {
      at: 0.575,
      run: () =>
        ask('brand_manager', 'publishLegalText', {
          params: { id },
          body: { in_force_from: null, reason: 'Says whom to ask' },
          key: pastKey(world, 'privacy'),
        }),
    },
    {
      at: 0.58,
      run: () =>
        ask('provider_owner', 'approveRequest', { params: { id: pastKey(world, 'privacy') } }),
    },
    { at: 0.95, run: draft('2.1', '## Venues\n\nWe note which device scanned a code, and when.') },
    { at: 0.985, run: () => enrolDevices(world, ask) },
  ];
}
