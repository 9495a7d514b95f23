import { m } from '@athos/messages/messages';
import UserRound from 'lucide-react/icons/user-round';
import type { Scan } from '../../api/scan.ts';
import { monthText } from './time-text.ts';

/** Whose code it is: enough to talk about, and no more. */
export function HolderLine({ holder }: { holder: Scan['holder'] }) {
  return (
    <p className="text-body text-ink-quiet flex flex-wrap items-center gap-x-2">
      <UserRound size={18} aria-hidden className="shrink-0" />
      <span className="text-ink font-code">
        {m.scanner_app_holder({ uuid: holder.short_uuid })}
      </span>
      <span>{m.scanner_app_holder_since({ date: monthText(holder.member_since) })}</span>
    </p>
  );
}
