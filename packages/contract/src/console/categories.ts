/** The tree of categories. */
import { z } from 'zod';
import { picture } from '../goods.ts';
import { smallId, smallIdParam, timeText } from '../values.ts';
import { CATEGORY_DISPLAY_TYPES } from '../wallet/catalogue.ts';
import type { ConsoleCalls } from './console-call.ts';

/** Far more than a shop shows. Limits the rows that one change of the tree reads. */
export const CATEGORY_COUNT_MAX = 500;
/** The maximum depth of the tree. */
export const CATEGORY_DEPTH_MAX = 6;
export const CATALOGUE_TITLE_LENGTH_MAX = 120;

export const catalogueTitle = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(CATALOGUE_TITLE_LENGTH_MAX);
/** A path on the wallet's own origin, or empty. A stored picture takes precedence. */
export const imageAddress = z
  .string()
  .max(200)
  .regex(/^(\/[^/\\\s][^\\\s]*)?$/, 'must be an address below /, or empty');
export const pictureId = z.string().regex(/^[0-9a-f]{64}$/, 'must be the id of a stored picture');

const fields = {
  title: catalogueTitle,
  description: z.string().trim().max(500),
  banner_url: imageAddress,
  picture_id: pictureId.nullable(),
  display_type: z.enum(CATEGORY_DISPLAY_TYPES),
};

const category = z
  .object({
    ...fields,
    id: z.int(),
    parent_id: z.int().nullable(),
    position: z.int(),
    picture: picture.nullable(),
    archived_at: timeText.nullable(),
    version: z.int(),
    /** Offers in the category itself. */
    offer_count: z.int(),
  })
  .meta({ id: 'ConsoleCategory' });

const edit = { auth: 'console', permission: 'catalogue.edit' } as const;

export const categoryCalls = {
  consoleCategories: {
    method: 'GET',
    path: '/admin/categories',
    auth: 'console',
    permission: 'catalogue.read',
    summary: 'All categories, siblings in their order',
    answer: z.object({ items: z.array(category) }),
  },
  consoleCategory: {
    method: 'GET',
    path: '/admin/categories/:id',
    auth: 'console',
    permission: 'catalogue.read',
    versioned: true,
    summary: 'One category',
    params: smallIdParam,
    answer: category,
  },
  createCategory: {
    ...edit,
    method: 'POST',
    path: '/admin/categories',
    audit: { action: 'category.create', subject: 'category' },
    summary: 'Add a category, as the last one below its parent',
    body: z.object({ ...fields, parent_id: smallId.nullable() }).meta({ id: 'CreateCategory' }),
    answer: category,
  },
  changeCategory: {
    ...edit,
    method: 'PATCH',
    path: '/admin/categories/:id',
    versioned: true,
    audit: { action: 'category.change', subject: 'category' },
    summary: 'Change what a category shows',
    params: smallIdParam,
    body: z.object(fields).meta({ id: 'ChangeCategory' }),
    answer: category,
  },
  moveCategory: {
    ...edit,
    method: 'POST',
    path: '/admin/categories/:id/move',
    audit: { action: 'category.move', subject: 'category' },
    summary: 'Give a category another place in the tree',
    params: smallIdParam,
    body: z
      .object({
        /** Null moves it to the top level. */
        parent_id: smallId.nullable(),
        /** The sibling that follows it; null makes it the last one. */
        before_id: smallId.nullable(),
      })
      .meta({ id: 'MoveCategory' }),
    answer: category,
  },
  archiveCategory: {
    ...edit,
    method: 'POST',
    path: '/admin/categories/:id/archive',
    audit: { action: 'category.archive', subject: 'category' },
    summary: 'Hide a category in which nothing is on sale',
    params: smallIdParam,
    answer: category,
  },
  restoreCategory: {
    ...edit,
    method: 'POST',
    path: '/admin/categories/:id/restore',
    audit: { action: 'category.restore', subject: 'category' },
    summary: 'Show an archived category again',
    params: smallIdParam,
    answer: category,
  },
} as const satisfies ConsoleCalls;
