/** A user's notes on their own movements, which nobody else can see. */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { historyIdParam } from '../values.ts';

const NOTE_LENGTH_MAX = 280;
const LABEL_LENGTH_MAX = 24;
const LABELS_MAX = 5;

/** Line breaks and tabs are allowed. Invisible characters and marks that change the text direction are refused. */
const VISIBLE = /^(?:[\n\t]|[^\p{Cc}\p{Bidi_Control}])*$/u;
const VISIBLE_LINE = /^[^\p{Cc}\p{Bidi_Control}]*$/u;

export const labelText = z
  .string()
  .trim()
  .min(1)
  .max(LABEL_LENGTH_MAX)
  .regex(VISIBLE_LINE, 'must hold no invisible character');

const noteFields = {
  note: z.string().trim().max(NOTE_LENGTH_MAX).regex(VISIBLE, 'must hold no invisible character'),
  labels: z
    .array(labelText)
    .max(LABELS_MAX)
    .refine(
      (labels) => new Set(labels.map((label) => label.toLowerCase())).size === labels.length,
      'must differ from each other',
    ),
};

export const noteCalls = {
  movementNotes: {
    method: 'GET',
    path: '/account/movement_notes',
    auth: 'user',
    summary: 'All notes and labels, of the newest movement first',
    answer: z
      .object({
        notes: z.array(
          z.object({ movement_id: z.int(), note: z.string(), labels: z.array(z.string()) }),
        ),
      })
      .meta({ id: 'MovementNotes' }),
  },
  noteMovement: {
    method: 'PUT',
    path: '/all_history/:id/note',
    auth: 'user',
    summary: 'Note something about an own movement; empty to forget it',
    params: historyIdParam,
    body: z.object(noteFields).meta({ id: 'NoteMovement' }),
    answer: z.object(noteFields).meta({ id: 'MovementNote' }),
  },
} as const satisfies Calls;
