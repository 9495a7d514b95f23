/** The legal texts in force. Visitors read them too, so this is not part of the signed-in app's cache. */
import { legal } from '@athos/brand/legal';
import type { LegalKind } from '@athos/contract/legal';
import type { LegalContent } from '@athos/domain/legal-text';
import { m } from '@athos/messages/messages';
import { useEffect, useState } from 'react';
import { client } from './http.ts';

export interface ShownText extends LegalContent {
  readonly version: string;
  /** ISO 8601. */
  readonly inForceSince: string;
  /** The text of this build is shown, because the text in force could not be loaded. */
  readonly isOfBuild: boolean;
}

const formatDate = (isoDate: string): string =>
  new Date(isoDate).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** `Version 1.0, in force since November 1, 2026`. */
export const versionText = ({ version, inForceSince }: ShownText): string =>
  m.auth_legal_version({ version, date: formatDate(inForceSince) });

async function readText(kind: LegalKind, signal: AbortSignal): Promise<ShownText> {
  try {
    const answer = await client.call('legalText', { params: { kind }, signal });
    const { version, in_force_since: inForceSince, intro, sections } = answer;
    return { version, inForceSince, intro, sections, isOfBuild: false };
  } catch {
    return { ...legal[kind], isOfBuild: true };
  }
}

/** `undefined` while it is loaded. */
export function useLegalText(kind: LegalKind): ShownText | undefined {
  const [read, setRead] = useState<{ kind: LegalKind; text: ShownText }>();
  useEffect(() => {
    const leaving = new AbortController();
    void readText(kind, leaving.signal).then((text) => {
      if (!leaving.signal.aborted) setRead({ kind, text });
    });
    return () => leaving.abort();
  }, [kind]);
  return read?.kind === kind ? read.text : undefined;
}
