import { m } from '@athos/messages/messages';
import { TextLink } from '@athos/ui/primitives/link';
import { richText } from '@athos/ui/text/rich-text';
import { paths } from '../../routes/paths.ts';

/** Says what continuing agrees to, with links to the texts. */
export function TermsNotice() {
  return (
    <p className="text-caption text-ink-quiet text-center text-pretty">
      {richText(m.auth_terms_notice, {
        terms: <TextLink to={paths.terms}>{m.auth_terms_link()}</TextLink>,
        privacy: <TextLink to={paths.privacy}>{m.auth_privacy_link()}</TextLink>,
      })}
    </p>
  );
}
