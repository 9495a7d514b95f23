import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';

type Scanner = AdminAnswer<'scanner'>;

/** Whether somebody is signed in on a device, or nobody may be. */
export function DeviceState({ scanner }: { scanner: Pick<Scanner, 'blockedAt' | 'isSignedIn'> }) {
  if (scanner.blockedAt !== null) return <Badge tone="danger">{m.scanners_blocked()}</Badge>;
  return scanner.isSignedIn ? (
    <Badge tone="success">{m.scanners_signed_in()}</Badge>
  ) : (
    <Badge>{m.scanners_signed_out()}</Badge>
  );
}
