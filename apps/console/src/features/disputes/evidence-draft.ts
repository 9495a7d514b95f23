/** The evidence texts while they are typed: the version they are based on, and saving them. */
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import type { Dispute } from './dispute-screen.tsx';
import type { EvidenceTexts, TextField } from './dispute-words.ts';

interface Edited {
  readonly texts: EvidenceTexts;
  /** The version that was read before the first change, or the last one that was saved. */
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
  /** Notes a version that this person made by changing another part of the dispute. */
  readonly noteVersion: (version: number) => void;
}

const written = (texts: EvidenceTexts): EvidenceTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));

const isSame = (some: EvidenceTexts, others: EvidenceTexts): boolean => {
  const fields = new Set([...Object.keys(some), ...Object.keys(others)]) as Set<TextField>;
  return [...fields].every((field) => (some[field] ?? '') === (others[field] ?? ''));
};

/**
 * The version over which to save: every change makes the next one, so the person's own changes are stepped over as long as each directly
 * follows. A version between them is another person's, whose texts would be lost if the newest version were taken.
 */
const versionAfterOwn = (version: number, own: readonly number[]): number =>
  own.includes(version + 1) ? versionAfterOwn(version + 1, own) : version;

export function useEvidenceDraft({ id, evidence, version }: Dispute): EvidenceDraft {
  const [edited, setEdited] = useState<Edited>();
  const [ownVersions, setOwnVersions] = useState<readonly number[]>([]);
  const [failure, setFailure] = useState<ActionOutcome<'saveEvidence'>>();
  const { run, isPending } = useAdminAction('saveEvidence');
  const isChanged = edited !== undefined && !isSame(written(edited.texts), evidence);
  // Saved and read again: from here on, the texts follow changes that others save.
  if (edited !== undefined && !isChanged && version >= edited.version && !isPending) {
    if (isSame(edited.texts, evidence)) setEdited(undefined);
  }
  const { texts, version: readVersion } = edited ?? { texts: evidence, version };
  const madeFrom = versionAfterOwn(readVersion, ownVersions);

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
      version: next,
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
    noteVersion: (next) => setOwnVersions((own) => [...own, next]),
  };
}
