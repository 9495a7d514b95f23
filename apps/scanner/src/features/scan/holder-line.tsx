import { m } from '@athos/messages/messages';
import UserRound from 'lucide-react/icons/user-round';
import type { Holder } from '../../api/codes.ts';
import { monthText } from './time-text.ts';

/** The holder of the code: enough to recognise the person, and no more. */
export function HolderLine({ holder }: { holder: Holder }) {
  return (
    <p className="text-body text-ink-quiet flex flex-wrap items-center gap-x-2">
      <UserRound size={18} aria-hidden className="shrink-0" />
      <span className="text-ink font-code">{m.scanner_app_holder({ uuid: holder.shortUuid })}</span>
      {holder.memberSince !== null && (
        <span>{m.scanner_app_holder_since({ date: monthText(holder.memberSince) })}</span>
      )}
    </p>
  );
}
