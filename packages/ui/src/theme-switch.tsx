import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useId, useState } from 'react';
import { m } from '@athos/messages/messages';
import { THEME_CHOICES, chooseTheme, readThemeChoice } from './theme.tsx';
import type { ThemeChoice } from './theme.tsx';

const CHOICES: Record<ThemeChoice, { label: () => string; icon: typeof Sun }> = {
  system: { label: m.settings_theme_system, icon: Monitor },
  light: { label: m.settings_theme_light, icon: Sun },
  dark: { label: m.settings_theme_dark, icon: Moon },
};

/** System, light or dark, as one row of three. */
export function ThemeSwitch() {
  const [choice, setChoice] = useState(readThemeChoice);
  const name = useId();
  const handleChoose = (next: ThemeChoice) => {
    chooseTheme(next);
    setChoice(next);
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-caption text-ink-quiet mb-2 font-semibold">
        {m.settings_appearance()}
      </legend>
      <div className="rounded-pill bg-sunken grid grid-cols-3 gap-1 p-1">
        {THEME_CHOICES.map((option) => {
          const { label, icon: Icon } = CHOICES[option];
          return (
            <label
              key={option}
              className="target rounded-pill text-body text-ink-quiet has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-checked:inset-ring has-checked:inset-ring-line-strong has-focus-visible:outline-3 has-focus-visible:outline-focus flex cursor-pointer items-center justify-center gap-2 px-2 font-semibold transition duration-150 ease-out"
            >
              <input
                type="radio"
                name={name}
                value={option}
                checked={choice === option}
                onChange={() => handleChoose(option)}
                className="sr-only"
              />
              <Icon size={18} aria-hidden />
              {label()}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
