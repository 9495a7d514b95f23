import { legal } from '@athos/brand/legal';
import { m } from '@athos/messages/messages';
import type { LegalName } from './legal-dialog.tsx';

const formatDate = (isoDate: string): string =>
  new Date(isoDate).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A legal text of the brand, with its version and date. */
export function LegalText({ name }: { name: LegalName }) {
  const { version, inForceSince, intro, sections } = legal[name];
  return (
    <div className="text-body flex flex-col gap-4">
      <p className="text-caption text-ink-quiet">
        {m.auth_legal_version({ version, date: formatDate(inForceSince) })}
      </p>
      <p>{intro}</p>
      {sections.map(({ heading, paragraphs }) => (
        <section key={heading} className="flex flex-col gap-2">
          <h3 className="text-lead font-bold">{heading}</h3>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="text-ink-quiet">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </div>
  );
}
