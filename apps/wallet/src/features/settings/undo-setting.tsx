import { m } from '@athos/messages/messages';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { useState } from 'react';
import { useUserUuid } from '../../state/current-user.ts';
import { chooseUndoSeconds, chosenUndoSeconds, UNDO_CHOICES } from '../../state/own-choices.ts';

const USUAL = 'usual';

const secondsText = (seconds: number): string =>
  seconds === 0 ? m.settings_undo_off() : m.settings_undo_seconds({ seconds });

/** How long sends can be undone. After a warning, the programme's longer time applies. */
export function UndoSetting() {
  const userUuid = useUserUuid();
  const [chosen, setChosen] = useState(() => chosenUndoSeconds(userUuid));

  function handleChange(value: string): void {
    const seconds = UNDO_CHOICES.find((choice) => String(choice) === value);
    chooseUndoSeconds(userUuid, seconds);
    setChosen(seconds);
  }

  return (
    <Card className="flex flex-col gap-3">
      <ChoiceRow
        legend={m.settings_undo()}
        options={[
          { value: USUAL, label: m.settings_undo_usual() },
          ...UNDO_CHOICES.map((seconds) => ({
            value: String(seconds),
            label: secondsText(seconds),
          })),
        ]}
        value={chosen === undefined ? USUAL : String(chosen)}
        onValueChange={handleChange}
      />
      <p className="text-caption text-ink-quiet">{m.settings_undo_note()}</p>
    </Card>
  );
}
