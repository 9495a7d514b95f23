/** Pictures of the catalogue, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Summary = ConsoleAnswerOf<'pictures'>['items'][number];
type Shown = ConsoleAnswerOf<'picture'>;

const ID_LENGTH = 64;
const HOUR_MS = 3_600_000;
export const PICTURE_ID = 'a'.repeat(ID_LENGTH);

const summary = (letter: string, more: Partial<Summary> = {}): Summary => ({
  id: letter.repeat(ID_LENGTH),
  width: 1280,
  height: 800,
  widths: [320, 640, 1280],
  formats: ['webp', 'avif'],
  alternative_text: '',
  crop_x: 50,
  crop_y: 50,
  version: 1,
  uploaded_at: new Date(Date.now() - HOUR_MS).toISOString(),
  use_count: 0,
  is_removable: true,
  ...more,
});

const used = { use_count: 2, is_removable: false } as const;

export const pictureSample = (more: Partial<Shown> = {}): Shown => ({
  ...summary('a', {
    ...used,
    alternative_text: 'The harbour stage at night',
    crop_x: 30,
    crop_y: 70,
  }),
  uses: [
    { type: 'category', id: 4, title: 'Concerts' },
    { type: 'offer', id: 12, title: 'Night at the Harbour Stage' },
  ],
  ...more,
});

const PICTURES: readonly Summary[] = [
  summary('b'),
  summary('a', { ...used, alternative_text: 'The harbour stage at night' }),
  summary('c', { ...used, use_count: 1, alternative_text: 'A glass of Amber Fizz beside its can' }),
  summary('d', { is_removable: false, alternative_text: 'A red scarf' }),
];

export const pictureAnswers: Handlers = {
  pictures: () => ({
    items: [...PICTURES],
    next_cursor: null,
    count: { value: PICTURES.length, is_at_least: false },
  }),
  picture: () => pictureSample(),
  uploadPicture: () => pictureSample({ uses: [] }),
  changePicture: () => pictureSample({ version: 2 }),
  removePicture: () => ({ success: true }),
};
