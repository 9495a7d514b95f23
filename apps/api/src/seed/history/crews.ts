/** The people who scan at the venues. */
import { demoVenues } from '../demo-catalogue.ts';
import type { AskConsole } from './console.ts';
import { signUpAll } from './wallet-acts.ts';
import { userOf, type World } from './world.ts';
import { brand } from '@athos/brand/brand';

const domain = brand.supportAddress.split('@').at(-1) ?? 'localhost';
/** The index of the first crew member, far from the indices of the crowd. */
export const FIRST_OF_CREWS = 10_000;
/** The members of each crew, by venue. */
const CREWS = [
  ['Pia Portner', 'Rolf Riemer'],
  ['Senta Stein', 'Tom Tessel'],
] as const;

/** Opens the crews' accounts and binds them to their venues. */
export async function bindCrews(world: World, ask: AskConsole): Promise<World> {
  const { db } = world.deps;
  const people = CREWS.flat().map((name, index) => ({
    index: FIRST_OF_CREWS + index,
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@${domain}`,
    isVerified: true,
  }));
  await signUpAll(world, people);
  const rows = await db.selectFrom('venues').select(['id', 'name']).execute();
  const venueIds = demoVenues.map(({ name }) => rows.find((row) => row.name === name)?.id ?? 0);
  const crews: bigint[][] = [];
  let index = FIRST_OF_CREWS;
  for (const [venue, names] of CREWS.entries()) {
    const crew: bigint[] = [];
    for (const _ of names) {
      const { userId, userUuid } = userOf(world, index);
      index += 1;
      crew.push(userId);
      const params = { id: venueIds[venue] ?? 0 };
      await ask('scanner_lead', 'bindVenueStaff', { params, body: { account: userUuid } });
    }
    crews.push(crew);
  }
  return { ...world, crews, venueIds };
}
