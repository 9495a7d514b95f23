import { m } from '@athos/messages/messages';
import Gift from 'lucide-react/icons/gift';
import { useState } from 'react';
import { isRewardWaiting } from '../../state/intended-route.ts';

/** Says that the user has followed the link of a reward; `text` says how it is collected. Renders nothing if no reward is waiting. */
export function WaitingReward({ text }: { text: string }) {
  const [isWaiting] = useState(isRewardWaiting);
  if (!isWaiting) return null;
  return (
    <section className="rounded-medium bg-info-surface flex gap-3 p-4">
      <Gift size={20} aria-hidden className="text-info mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="text-info font-semibold">{m.auth_reward_title()}</h2>
        <p className="text-pretty">{text}</p>
      </div>
    </section>
  );
}
