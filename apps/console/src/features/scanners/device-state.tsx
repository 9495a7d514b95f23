import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';

type Scanner = AdminAnswer<'scanner'>;

/** Whether somebody is signed in on a device, or the device is blocked. */
export function DeviceState(props: {
  scanner: Pick<Scanner, 'blockedAt' | 'isSignedIn' | 'offlineState'>;
}) {
  const { scanner } = props;
  if (scanner.blockedAt !== null) return <Badge tone="danger">{m.scanners_blocked()}</Badge>;
  if (scanner.offlineState === 'suspect')
    return <Badge tone="danger">{m.scanners_suspect()}</Badge>;
  return scanner.isSignedIn ? (
    <Badge tone="success">{m.scanners_signed_in()}</Badge>
  ) : (
    <Badge>{m.scanners_signed_out()}</Badge>
  );
}
