/** The texts of evidence while they are typed: which version they were made from, and what becomes of them once they are saved. */
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
  /** Why the last attempt to save did not. */
  readonly failure: ActionOutcome<'saveEvidence'> | undefined;
  readonly setText: (field: TextField, text: string) => void;
  /** By default for the version that the texts were made from. Returns whether they are saved. */
  readonly save: (version?: number) => Promise<boolean>;
  /** Gives up what was typed. */
  readonly drop: () => void;
  /** Follows a change of our own that is not of the texts. */
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
  // Saved and read again: from here on it follows what others save.
  if (edited !== undefined && !isChanged && version >= edited.version && !isPending) {
    if (isSame(edited.texts, evidence)) setEdited(undefined);
  }
  const { texts, version: madeFrom } = edited ?? { texts: evidence, version };

  async function save(over = madeFrom): Promise<boolean> {
    setFailure(undefined);
    const outcome = await run({ params: { id }, body: { evidence: written(texts) } }, over);
    if (outcome.kind === 'cancelled') return false;
    if (outcome.kind !== 'done') {
      setFailure(outcome);
      return false;
    }
    setEdited({ texts: written(texts), version: outcome.answer.version });
    return true;
  }

  return {
    texts,
    isChanged,
    isPending,
    failure,
    setText: (field, text) => setEdited({ texts: { ...texts, [field]: text }, version: madeFrom }),
    save,
    drop() {
      setEdited(undefined);
      setFailure(undefined);
    },
    noteVersion(next) {
      if (edited !== undefined) setEdited({ texts: edited.texts, version: next });
    },
  };
}
