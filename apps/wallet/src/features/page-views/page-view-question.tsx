import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { TextLink } from '@athos/ui/primitives/link';
import { richText } from '@athos/ui/text/rich-text';
import { useId } from 'react';
import { paths } from '../../routes/paths.ts';
import { choosePageViews, doesBrowserRefuse } from '../../state/page-views.ts';

/**
 * Asks once for consent to count page views, beside the screen and with two equal buttons. No response means no consent
 * (decision 0013).
 */
export function PageViewQuestion() {
  const titleId = useId();
  if (doesBrowserRefuse()) return null;
  return (
    <section
      aria-labelledby={titleId}
      className="safe-inline rail:bottom-6 rail:left-auto rail:right-6 pointer-events-none fixed inset-x-0 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] z-20 flex justify-center"
    >
      <div className="rounded-large bg-raised shadow-raised inset-ring-line max-w-form pointer-events-auto m-3 flex max-h-[calc(100dvh-6rem)] flex-col gap-3 overflow-y-auto p-4 inset-ring">
        <h2 id={titleId} className="text-body font-semibold">
          {m.settings_page_views_title()}
        </h2>
        <p className="text-caption text-ink-quiet">
          {richText(m.settings_page_views_text, {
            privacy: <TextLink to={paths.privacy}>{m.settings_privacy()}</TextLink>,
          })}
        </p>
        <div className="flex flex-wrap gap-3 *:flex-[1_1_6rem]">
          <Button variant="quiet" isWide onClick={() => choosePageViews('refused')}>
            {m.settings_page_views_refuse()}
          </Button>
          <Button variant="quiet" isWide onClick={() => choosePageViews('allowed')}>
            {m.settings_page_views_allow()}
          </Button>
        </div>
      </div>
    </section>
  );
}
