/** Pictures of offers and categories, as staff upload and describe them. */
import { z } from 'zod';
import { picture } from '../goods.ts';
import { timeText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';
import { ALTERNATIVE_TEXT_MAX, PICTURE_BYTES_MAX, PICTURE_TYPES } from './picture-files.ts';

const pictureParam = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) });
const perCent = z.int().min(0).max(100);
const described = {
  alternative_text: z.string().trim().max(ALTERNATIVE_TEXT_MAX),
  crop_x: perCent,
  crop_y: perCent,
};

const summary = picture.extend({
  version: z.int(),
  uploaded_at: timeText,
  /** The number of offers, categories and drafts that currently use it. */
  use_count: z.int(),
  /** Nothing has ever used it. It is removed a day after its upload. */
  is_removable: z.boolean(),
});

const detail = summary
  .extend({
    /** At most 100. */
    uses: z.array(
      z.object({ type: z.enum(['offer', 'category']), id: z.int(), title: z.string() }),
    ),
  })
  .meta({ id: 'ConsolePicture' });

const edit = { auth: 'console', permission: 'catalogue.edit' } as const;

export const pictureCalls = {
  pictures: {
    method: 'GET',
    path: '/admin/pictures',
    auth: 'console',
    permission: 'catalogue.read',
    summary: 'Pictures, the newest upload first',
    query: z.object({
      ...pageQuery,
      use: z.enum(['used', 'unused']).optional(),
      /** A part of the alternative text. */
      q: z.string().max(ALTERNATIVE_TEXT_MAX).optional(),
    }),
    answer: listOf(summary.meta({ id: 'ConsolePictureSummary' })),
  },
  picture: {
    method: 'GET',
    path: '/admin/pictures/:id',
    auth: 'console',
    permission: 'catalogue.read',
    versioned: true,
    summary: 'One picture and where it is used',
    params: pictureParam,
    answer: detail,
  },
  uploadPicture: {
    ...edit,
    method: 'POST',
    path: '/admin/pictures',
    audit: { action: 'picture.upload', subject: 'picture' },
    summary: 'Upload a picture; the same one again answers the one that is stored',
    upload: { types: PICTURE_TYPES, bytesMax: PICTURE_BYTES_MAX },
    answer: detail,
  },
  changePicture: {
    ...edit,
    method: 'PATCH',
    path: '/admin/pictures/:id',
    versioned: true,
    audit: { action: 'picture.change', subject: 'picture' },
    summary: 'Describe a picture, and set the point that stays in view where it is cut',
    params: pictureParam,
    body: z.object(described).meta({ id: 'ChangePicture' }),
    answer: detail,
  },
  removePicture: {
    ...edit,
    method: 'DELETE',
    path: '/admin/pictures/:id',
    audit: { action: 'picture.remove', subject: 'picture' },
    summary: 'Remove a picture that nothing has ever named',
    params: pictureParam,
    answer: z.object({ success: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
