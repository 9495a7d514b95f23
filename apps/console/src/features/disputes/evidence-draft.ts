/** The evidence texts while they are typed: the version they are based on, and saving them. */
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import type { Dispute } from './dispute-screen.tsx';
import type { EvidenceTexts, TextField } from './dispute-words.ts';

interface Edited {
  readonly texts: EvidenceTexts;
  /** The version that was read before the first change. */
  readonly version: number;
}

export interface EvidenceDraft {
  readonly texts: EvidenceTexts;
  readonly isChanged: boolean;
  readonly isPending: boolean;
  /** The failure of the last attempt to save. */
  readonly failure: ActionOutcome<'saveEvidence'> | undefined;
  readonly setText: (field: TextField, text: string) => void;
  /** Saves over `version`, by default the one on which the texts are based. Returns whether they were saved. */
  readonly save: (version?: number) => Promise<boolean>;
  /** Discards the typed texts. */
  readonly drop: () => void;
  /** Notes the new version after this person changed another part of the dispute. */
  readonly noteVersion: (version: number) => void;
}

const written = (texts: EvidenceTexts): EvidenceTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));

const isSame = (some: EvidenceTexts, others: EvidenceTexts): boolean => {
  const fields = new Set([...Object.keys(some), ...Object.keys(others)]) as Set<TextField>;
  return [...fields].every((field) => (some[field] ?? '') === (others[field] ?? ''));
};

export function useEvidenceDraft({ id, evidence, version }: Dispute): EvidenceDraft {
  const [edited, setEdited] = useState<Edited>();
  const [failure, setFailure] = useState<ActionOutcome<'saveEvidence'>>();
  const { run, isPending } = useAdminAction('saveEvidence');
  const isChanged = edited !== undefined && !isSame(written(edited.texts), evidence);
  // Saved and read again: from here on, the texts follow changes that others save.
  if (edited !== undefined && !isChanged && version >= edited.version && !isPending) {
    if (isSame(edited.texts, evidence)) setEdited(undefined);
  }
  const { texts, version: madeFrom } = edited ?? { texts: evidence, version };

  async function save(over = madeFrom): Promise<boolean> {
    setFailure(undefined);
    const saved = written(texts);
    const outcome = await run({ params: { id }, body: { evidence: saved } }, over);
    if (outcome.kind === 'cancelled') return false;
    if (outcome.kind !== 'done') {
      setFailure(outcome);
      return false;
    }
    const { version: next } = outcome.answer;
    setEdited((latest = { texts, version: next }) => ({
      // What was typed during the save stays.
      texts: latest.texts === texts ? saved : latest.texts,
      // The answer of an upload that came after the save may have arrived first.
      version: Math.max(latest.version, next),
    }));
    return true;
  }

  return {
    texts,
    isChanged,
    isPending,
    failure,
    setText: (field, text) =>
      setEdited((latest = { texts: evidence, version }) => ({
        texts: { ...latest.texts, [field]: text },
        version: latest.version,
      })),
    save,
    drop() {
      setEdited(undefined);
      setFailure(undefined);
    },
    noteVersion: (next) =>
      setEdited((latest) => latest && { ...latest, version: Math.max(latest.version, next) }),
  };
}
