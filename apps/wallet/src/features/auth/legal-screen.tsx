import type { LegalKind } from '@athos/contract/legal';
import { m } from '@athos/messages/messages';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { LegalParagraphs, LegalSkeleton } from '@athos/ui/text/legal-paragraphs';
import { useLegalText, versionText } from '../../api/legal.ts';
import { paths } from '../../routes/paths.ts';
import { isSignedIn } from '../../state/session.ts';

/** /terms: the version in force. */
export function TermsScreen() {
  return <LegalScreen title={m.auth_terms_title()} kind="terms" />;
}

/** /privacy: the version in force. */
export function PrivacyScreen() {
  return <LegalScreen title={m.auth_privacy_title()} kind="privacy" />;
}

/** /user-data-deletion: the version in force. */
export function DataDeletionScreen() {
  return (
    <LegalScreen
      title={m.auth_deletion_title()}
      kind="deletion"
      backTo={isSignedIn() ? paths.deleteAccount : paths.start}
    />
  );
}

interface LegalScreenProps {
  title: string;
  kind: LegalKind;
  backTo?: string;
}

function LegalScreen({ title, kind, backTo = paths.choose }: LegalScreenProps) {
  const text = useLegalText(kind);
  return (
    <AuthScreen
      title={title}
      lead={text === undefined ? m.common_loading() : versionText(text)}
      backTo={backTo}
    >
      {text?.isOfBuild && <p className="text-caption text-ink-quiet">{m.auth_legal_of_build()}</p>}
      {text === undefined ? <LegalSkeleton /> : <LegalParagraphs {...text} headingLevel="h2" />}
    </AuthScreen>
  );
}
