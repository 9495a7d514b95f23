import { legal } from '@athos/brand/legal';
import type { LegalText } from '@athos/brand/types';
import { m } from '@athos/messages/messages';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { paths } from '../../routes/paths.ts';
import { isSignedIn } from '../../state/session.ts';

/** /terms, with the brand's text. */
export function TermsScreen() {
  return <LegalScreen title={m.auth_terms_title()} text={legal.terms} />;
}

/** /privacy, with the brand's text. */
export function PrivacyScreen() {
  return <LegalScreen title={m.auth_privacy_title()} text={legal.privacy} />;
}

/** /user-data-deletion, with the brand's text. */
export function DataDeletionScreen() {
  return (
    <LegalScreen
      title={m.auth_deletion_title()}
      text={legal.deletion}
      backTo={isSignedIn() ? paths.deleteAccount : paths.start}
    />
  );
}

const formatDate = (isoDate: string): string =>
  new Date(isoDate).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

interface LegalScreenProps {
  title: string;
  text: LegalText;
  backTo?: string;
}

function LegalScreen({ title, text, backTo = paths.choose }: LegalScreenProps) {
  const version = m.auth_legal_version({
    version: text.version,
    date: formatDate(text.inForceSince),
  });
  return (
    <AuthScreen title={title} lead={version} backTo={backTo}>
      <p>{text.intro}</p>
      {text.sections.map((section) => (
        <section key={section.heading} className="flex flex-col gap-2">
          <h2 className="text-lead font-bold">{section.heading}</h2>
          {section.paragraphs.map((paragraph) => (
            <p key={paragraph} className="text-ink-quiet">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </AuthScreen>
  );
}
