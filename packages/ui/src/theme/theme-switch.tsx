import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useState } from 'react';
import { m } from '@athos/messages/messages';
import { ChoiceRow } from '../primitives/choice-row.tsx';
import { THEME_CHOICES, chooseTheme, readThemeChoice } from './theme.ts';
import type { ThemeChoice } from './theme.ts';

const CHOICES: Record<ThemeChoice, { label: () => string; icon: typeof Sun }> = {
  system: { label: m.settings_theme_system, icon: Monitor },
  light: { label: m.settings_theme_light, icon: Sun },
  dark: { label: m.settings_theme_dark, icon: Moon },
};

/** Chooses between system, light and dark. */
export function ThemeSwitch() {
  const [choice, setChoice] = useState(readThemeChoice);
  return (
    <ChoiceRow
      legend={m.settings_appearance()}
      options={THEME_CHOICES.map((value) => {
        const { label, icon: Icon } = CHOICES[value];
        return { value, label: label(), icon: <Icon size={18} aria-hidden /> };
      })}
      value={choice}
      onValueChange={(next) => {
        chooseTheme(next);
        setChoice(next);
      }}
    />
  );
}
