import { m } from '@athos/messages/messages';
import { Time } from './time.tsx';

/** Shows how far a page was searched, if it ended early because the server had scanned enough rows. */
export const LookedUntil = ({ at }: { at: string | null | undefined }) =>
  typeof at === 'string' && (
    <span role="status">
      {m.console_looked_until()} <Time at={at} />
    </span>
  );
