/** The user's notes on their own movements. */
import { queryClient } from '@athos/app-core/query-client';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';
import { showFailure } from './session.ts';

export interface MovementNote {
  readonly note: string;
  readonly labels: readonly string[];
}

const NO_NOTE: MovementNote = { note: '', labels: [] };

const movementNotesQuery = queryOptions({
  queryKey: ['history', 'notes'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<number, MovementNote>> => {
    const { notes } = await client.call('movementNotes', { signal });
    return new Map(notes.map(({ movement_id: id, note, labels }) => [id, { note, labels }]));
  },
  staleTime: 60_000,
});

/** Keyed by the movement's number; `undefined` until they are loaded. */
export const useMovementNotes = () => useQuery(movementNotesQuery).data;

export const fetchMovementNotes = () => queryClient.ensureQueryData(movementNotesQuery);

export const noteOf = (
  notes: ReadonlyMap<number, MovementNote> | undefined,
  movementId: number,
): MovementNote => notes?.get(movementId) ?? NO_NOTE;

/** All labels in use, in alphabetical order. */
export const labelsOf = (notes: ReadonlyMap<number, MovementNote> | undefined): readonly string[] =>
  [...new Set([...(notes?.values() ?? [])].flatMap(({ labels }) => labels))].toSorted(
    (one, other) => one.localeCompare(other),
  );

/** Resolves to whether it was saved; a toast reports a failure. */
export async function saveNote(movementId: number, content: MovementNote): Promise<boolean> {
  const show = toasts.attempt('note');
  try {
    const body = { note: content.note, labels: [...content.labels] };
    await client.call('noteMovement', { params: { id: movementId }, body });
  } catch (error) {
    showFailure(show, m.history_note_failed(), error);
    return false;
  }
  // A list that is filtered by notes may have changed.
  await queryClient.invalidateQueries({ queryKey: ['history', 'filtered'] });
  await queryClient.invalidateQueries({ queryKey: movementNotesQuery.queryKey });
  return true;
}
