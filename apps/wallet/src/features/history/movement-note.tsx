import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import Pencil from 'lucide-react/icons/pencil';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { noteOf, saveNote, useMovementNotes, type MovementNote } from '../../api/movement-notes.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { Labels } from './labels.tsx';

const NOTE_LENGTH_MAX = 280;
const LABEL_LENGTH_MAX = 24;
const LABELS_MAX = 5;

/** The user's own notes on the movement, which nobody else can see. */
export function MovementNoteCard({ movementId }: { movementId: number }) {
  const notes = useMovementNotes();
  const [isEditing, setIsEditing] = useState(false);
  const offlineReason = useOfflineReason();
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The form is gone, and the focus with it. A focus that the user has moved elsewhere meanwhile stays there.
  useEffect(() => {
    const isLost = wasEditing.current && !isEditing && document.activeElement === document.body;
    if (isLost) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (notes === undefined) return null;
  const own = noteOf(notes, movementId);
  const isEmpty = own.note === '' && own.labels.length === 0;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 className="font-display text-title font-bold">{m.history_own_note()}</h2>
        <p className="text-caption text-ink-quiet">{m.history_own_note_text()}</p>
      </div>
      {isEditing ? (
        <NoteForm movementId={movementId} own={own} onDone={() => setIsEditing(false)} />
      ) : (
        <>
          {own.note !== '' && (
            <p className="text-body wrap-anywhere whitespace-pre-wrap">{own.note}</p>
          )}
          <Labels labels={own.labels} />
          <Button
            ref={opener}
            variant="quiet"
            isWide
            icon={<Pencil size={18} aria-hidden />}
            disabledReason={offlineReason}
            onClick={() => setIsEditing(true)}
          >
            {isEmpty ? m.history_note_add() : m.history_note_edit()}
          </Button>
        </>
      )}
    </Card>
  );
}

/** Removes duplicates, ignoring case. */
function labelsIn(text: string): readonly string[] {
  const labels = text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
  return [...new Map(labels.map((label) => [label.toLowerCase(), label])).values()];
}

function labelsFault(labels: readonly string[]): string | undefined {
  if (labels.length > LABELS_MAX) return m.history_labels_too_many({ count: LABELS_MAX });
  return labels.some((label) => label.length > LABEL_LENGTH_MAX)
    ? m.history_labels_too_long({ count: LABEL_LENGTH_MAX })
    : undefined;
}

interface NoteFormProps {
  movementId: number;
  own: MovementNote;
  onDone: () => void;
}

function NoteForm({ movementId, own, onDone }: NoteFormProps) {
  const [note, setNote] = useState(own.note);
  const [labelText, setLabelText] = useState(own.labels.join(', '));
  const [isSaving, setIsSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The button that opened the form is gone, and the focus with it.
  useEffect(() => field.current?.focus(), []);
  const labels = labelsIn(labelText);
  const fault = labelsFault(labels);

  async function handleSubmit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (fault !== undefined) return;
    setIsSaving(true);
    const isSaved = await saveNote(movementId, { note: note.trim(), labels });
    setIsSaving(false);
    if (isSaved) onDone();
  }

  return (
    <form className="flex flex-col gap-3" onSubmit={(event) => void handleSubmit(event)}>
      <TextField
        label={m.history_note()}
        value={note}
        maxLength={NOTE_LENGTH_MAX}
        ref={field}
        onValueChange={setNote}
      />
      <TextField
        label={m.history_labels()}
        value={labelText}
        hint={m.history_labels_hint()}
        error={fault}
        onValueChange={setLabelText}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isSaving}>
          {m.history_note_save()}
        </Button>
        <Button variant="quiet" onClick={onDone}>
          {m.common_cancel()}
        </Button>
      </div>
    </form>
  );
}
