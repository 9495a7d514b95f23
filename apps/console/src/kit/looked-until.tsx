import { m } from '@athos/messages/messages';
import { Time } from './time.tsx';

/** A page that ended early, because the server had looked at enough rows, says how far it came. */
export const LookedUntil = ({ at }: { at: string | null | undefined }) =>
  typeof at === 'string' && (
    <span role="status">
      {m.console_looked_until()} <Time at={at} />
    </span>
  );
