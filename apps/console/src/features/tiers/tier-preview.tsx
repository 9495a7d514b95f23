/** The tiers drawn with the wallet's own component, in a chosen theme and for a customer of a chosen tier. */
import { brand, mainToken } from '@athos/brand/brand';
import { tiersPageUrl } from '@athos/brand/links';
import { m } from '@athos/messages/messages';
import { TierBadge } from '@athos/ui/layout/tier-badge';
import { TierPanel } from '@athos/ui/layout/tier-panel';
import { classNames } from '@athos/ui/primitives/class-names';
import { useState } from 'react';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { Section } from '../../kit/detail.tsx';
import { balanceFor, type ShownTier } from './tier-draft.ts';

type Theme = 'light' | 'dark';

const THEME_CLASSES: Readonly<Record<Theme, string>> = {
  light: 'scheme-light',
  dark: 'scheme-dark',
};

export function TierPreview({ tiers }: { tiers: readonly ShownTier[] }) {
  const [theme, setTheme] = useState<Theme>('light');
  const [holderId, setHolderId] = useState('');
  const held = tiers.find(({ id }) => String(id) === holderId);
  return (
    <Section title={m.ladder_preview()}>
      <div className="grid gap-3 small:grid-cols-2">
        <DenseSelect
          label={m.ladder_preview_theme()}
          value={theme}
          onValueChange={(value) => setTheme(value as Theme)}
          options={[
            { value: 'light', label: m.ladder_preview_light() },
            { value: 'dark', label: m.ladder_preview_dark() },
          ]}
        />
        <DenseSelect
          label={m.ladder_preview_holder()}
          value={held === undefined ? '' : holderId}
          onValueChange={setHolderId}
          options={[
            { value: '', label: m.ladder_preview_nobody() },
            ...tiers.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
        />
      </div>
      <div
        role="region"
        aria-label={m.ladder_preview_label()}
        className={classNames(
          'bg-ground text-ink text-body rounded-small inset-ring-line flex flex-col items-start gap-4 p-4 inset-ring',
          THEME_CLASSES[theme],
        )}
      >
        <TierBadge tier={held} />
        <div className="w-full">
          <TierPanel
            tiers={tiers}
            balance={balanceFor(held)}
            symbol={mainToken.symbol}
            onlineUrl={tiersPageUrl(brand, '')}
          />
        </div>
      </div>
    </Section>
  );
}
