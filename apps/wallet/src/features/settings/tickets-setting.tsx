import { m } from '@athos/messages/messages';
import { Card } from '@athos/ui/primitives/card';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { useState } from 'react';
import { keepsTicketsWhenAway, keepTicketsWhenAway } from '../../state/own-choices.ts';

/** Whether ticket codes stay on this phone after a sign-out for inactivity. */
export function TicketsSetting() {
  const [isKept, setIsKept] = useState(keepsTicketsWhenAway);

  function handleChange(value: 'kept' | 'removed'): void {
    keepTicketsWhenAway(value === 'kept');
    setIsKept(value === 'kept');
  }

  return (
    <Card className="flex flex-col gap-3">
      <ChoiceRow
        legend={m.settings_tickets()}
        options={[
          { value: 'kept', label: m.settings_tickets_keep() },
          { value: 'removed', label: m.settings_tickets_remove() },
        ]}
        value={isKept ? 'kept' : 'removed'}
        onValueChange={handleChange}
      />
      <p className="text-caption text-ink-quiet">{m.settings_tickets_note()}</p>
    </Card>
  );
}
