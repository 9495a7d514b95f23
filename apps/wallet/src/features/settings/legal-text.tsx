import { m } from '@athos/messages/messages';
import { LegalParagraphs, LegalSkeleton } from '@athos/ui/text/legal-paragraphs';
import { useLegalText, versionText } from '../../api/legal.ts';
import type { LegalName } from './legal-dialog.tsx';

/** A legal text with its version and date, over another screen. */
export function LegalText({ name }: { name: LegalName }) {
  const text = useLegalText(name);
  if (text === undefined) return <LegalSkeleton />;
  return (
    <div className="text-body flex flex-col gap-4">
      <p className="text-caption text-ink-quiet">{versionText(text)}</p>
      {text.isOfBuild && <p className="text-caption text-ink-quiet">{m.auth_legal_of_build()}</p>}
      <LegalParagraphs {...text} headingLevel="h3" />
    </div>
  );
}
