import { brand, mainToken } from '@athos/brand/brand';
import type { Insertable } from 'kysely';
import { MICRO_PER_TOKEN } from '@athos/domain/money';
import type { Tables } from '../platform/database/database.ts';

const [bronze = '', silver = '', gold = '', onyx = ''] = brand.colours.tiers;
const tokens = (count: bigint): bigint => count * MICRO_PER_TOKEN;

/** A note with the word `online` gets a link to the product's website (spec 9). */
export const demoTiers: readonly Insertable<Tables['tiers']>[] = [
  {
    id: 1,
    title: 'Bronze',
    amount_micro_ath: tokens(100n),
    color: bronze,
    note: 'A free drink on your birthday and early word of every event.',
  },
  {
    id: 2,
    title: 'Silver',
    amount_micro_ath: tokens(1_000n),
    color: silver,
    note: 'Tickets a day before everybody else, and the members’ shop online.',
  },
  {
    id: 3,
    title: 'Gold',
    amount_micro_ath: tokens(10_000n),
    color: gold,
    note: 'The short line at every venue, and a guest on your list.',
  },
  {
    id: 4,
    title: 'Onyx',
    amount_micro_ath: tokens(100_000n),
    color: onyx,
    note: `Backstage, paddock and one lap a year beside a driver. Hold ${mainToken.symbol}, and the doors open.`,
  },
];
