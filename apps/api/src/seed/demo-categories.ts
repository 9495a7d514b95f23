import type { Insertable } from 'kysely';
import type { Tables } from '../platform/database/database.ts';

export interface CategoryDraft {
  readonly id: number;
  /** The name of its picture. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly displayType: Insertable<Tables['categories']>['display_type'];
  readonly parentId?: number;
}

/** In display order. Ids are never reused, since databases of earlier starts contain them. */
export const demoCategories: readonly CategoryDraft[] = [
  {
    id: 1,
    slug: 'drinks',
    title: 'Drinks',
    description: 'Cold, sparkling and slow: everything we bottle.',
    displayType: 'row',
  },
  {
    id: 2,
    slug: 'live-music',
    title: 'Live Music',
    description: 'Small rooms, big nights. Tickets for members first.',
    displayType: 'featured',
  },
  {
    id: 3,
    slug: 'supercars',
    title: 'Supercars',
    description: 'Laps, garages and roads that are worth the early hour.',
    displayType: 'grid',
  },
  {
    id: 4,
    slug: 'discounts',
    title: 'Discounts',
    description: 'Less to pay at places that we like.',
    displayType: 'list',
  },
  {
    id: 5,
    slug: 'gear',
    title: 'Gear',
    description: 'Glass, cotton and steel with a small mark on it.',
    displayType: 'grid',
  },
  {
    id: 6,
    slug: 'crew',
    title: 'Thank the Crew',
    description: 'The people behind the bar, the desk and the pit wall.',
    displayType: 'row',
  },
  {
    id: 7,
    parentId: 1,
    slug: 'cold-brew',
    title: 'Cold Brew',
    description: 'Steeped for eighteen hours.',
    displayType: 'row',
  },
  {
    id: 8,
    parentId: 1,
    slug: 'sparkling',
    title: 'Sparkling',
    description: 'Bitter, bright and without alcohol.',
    displayType: 'row',
  },
  {
    id: 9,
    parentId: 2,
    slug: 'festivals',
    title: 'Festivals',
    description: 'Whole weekends outdoors.',
    displayType: 'grid',
  },
  {
    id: 10,
    parentId: 3,
    slug: 'track-days',
    title: 'Track Days',
    description: 'An instructor, a helmet and a clear road.',
    displayType: 'list',
  },
  {
    id: 11,
    slug: 'table',
    title: 'At the Table',
    description: 'Long evenings, short menus, no music above a murmur.',
    displayType: 'row',
  },
  {
    id: 12,
    parentId: 5,
    slug: 'glassware',
    title: 'Glassware',
    description: 'A good drink can be had from anything. Still.',
    displayType: 'grid',
  },
  {
    id: 13,
    parentId: 2,
    slug: 'small-rooms',
    title: 'Small Rooms',
    description: 'Fewer than sixty chairs, and you know half of them by now.',
    displayType: 'list',
  },
  {
    id: 14,
    parentId: 3,
    slug: 'slow-roads',
    title: 'Slow Roads',
    description: 'The long way, on purpose.',
    displayType: 'featured',
  },
];
