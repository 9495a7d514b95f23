/** The brakes, with which one person can stop something for everybody at once. Resuming requires a second person. */
import type { BrakeName } from '@athos/contract/brakes';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { Facts, ObjectLink } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { PullDialog, ReleaseDialog } from './brake-dialogs.tsx';
import { BRAKE_TEXTS, BRAKE_TITLES } from './brake-words.ts';

type Brake = AdminAnswer<'brakes'>['items'][number];

const POLL_MS = 10_000;

export function BrakesScreen() {
  const { item, failure, reload } = useAdminItem('brakes', {}, { pollMs: () => POLL_MS });
  const [pulled, setPulled] = useState<BrakeName>();
  const [released, setReleased] = useState<BrakeName>();
  return (
    <Page title={m.brakes_title()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.brakes_lead()}</p>
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      <ul aria-label={m.brakes_title()} className="divide-line flex flex-col divide-y">
        {item?.items.map((brake) => (
          <li key={brake.name} className="flex flex-col gap-2 py-3">
            <BrakeRow
              brake={brake}
              onPull={() => setPulled(brake.name)}
              onRelease={() => setReleased(brake.name)}
            />
          </li>
        ))}
      </ul>
      {pulled !== undefined && <PullDialog name={pulled} onClose={() => setPulled(undefined)} />}
      {released !== undefined && (
        <ReleaseDialog name={released} onClose={() => setReleased(undefined)} />
      )}
    </Page>
  );
}

interface BrakeRowProps {
  brake: Brake;
  onPull: () => void;
  onRelease: () => void;
}

function BrakeRow({ brake, onPull, onRelease }: BrakeRowProps) {
  const { name, pulled, approvalId } = brake;
  const lack = useLack();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-body font-semibold first-letter:uppercase">{BRAKE_TITLES[name]()}</h2>
        <Badge tone={pulled === null ? 'success' : 'danger'}>
          {pulled === null ? m.brakes_runs() : m.brakes_stopped()}
        </Badge>
        <span className="ml-auto text-right">
          {pulled === null ? (
            <Button variant="quiet" isDense disabledReason={lack('system.brake')} onClick={onPull}>
              {m.brakes_pull({ what: BRAKE_TITLES[name]() })}
            </Button>
          ) : (
            <Release approvalId={approvalId} name={name} onRelease={onRelease} />
          )}
        </span>
      </div>
      <p className="text-dense text-ink-quiet max-w-column">{BRAKE_TEXTS[name]()}</p>
      {pulled !== null && (
        <Facts
          facts={[
            { label: m.brakes_notice(), value: pulled.notice },
            { label: m.console_reason(), value: pulled.reason },
            { label: m.brakes_since(), value: <Time at={pulled.at} /> },
            { label: m.brakes_by(), value: pulled.by },
          ]}
        />
      )}
    </>
  );
}

function Release(props: { approvalId: string | null; name: BrakeName; onRelease: () => void }) {
  const lack = useLack();
  if (props.approvalId !== null) {
    return (
      <ObjectLink to={paths.approval(props.approvalId)}>{m.brakes_release_asked()}</ObjectLink>
    );
  }
  return (
    <Button isDense disabledReason={lack('system.release')} onClick={props.onRelease}>
      {m.brakes_release({ what: BRAKE_TITLES[props.name]() })}
    </Button>
  );
}
