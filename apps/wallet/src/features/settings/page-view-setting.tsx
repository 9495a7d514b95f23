import { m } from '@athos/messages/messages';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { useValue } from '@athos/app-core/value';
import {
  arePageViewsConfigured,
  choosePageViews,
  doesBrowserRefuse,
  pageViewChoice,
} from '../../state/page-views.ts';

/** Consent to count page views, shown on installations that count them. */
export function PageViewSetting() {
  const choice = useValue(pageViewChoice);
  if (!arePageViewsConfigured()) return null;
  return (
    <Card className="flex flex-col gap-3">
      {doesBrowserRefuse() ? (
        <>
          <h2 className="text-caption text-ink-quiet font-semibold">{m.settings_page_views()}</h2>
          <p className="text-caption">{m.settings_page_views_browser_refuses()}</p>
        </>
      ) : (
        <>
          <ChoiceRow
            legend={m.settings_page_views()}
            options={[
              { value: 'refused', label: m.settings_page_views_refuse() },
              { value: 'allowed', label: m.settings_page_views_allow() },
            ]}
            // No response means no consent.
            value={choice ?? 'refused'}
            onValueChange={choosePageViews}
          />
          <p className="text-caption text-ink-quiet">{m.settings_page_views_note()}</p>
        </>
      )}
    </Card>
  );
}
