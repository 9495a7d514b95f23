/** One device: its user and venue, and the action that takes it out of use. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { ClearDialog } from './clear-dialog.tsx';
import { DeviceState } from './device-state.tsx';
import { OfflineFacts } from './offline-facts.tsx';
import { isWaiting, titleOf, type Scanner } from './scanner-words.ts';

type Act = 'sign_out' | 'block' | 'clear';

export function ScannerDetail({ id }: { id: string }) {
  const read = useAdminItem('scanner', { params: { id } });
  const [act, setAct] = useState<Act>();
  return (
    <DetailOf read={read} kind={m.scanners_one()} backTo={paths.scanners}>
      {(scanner) => (
        <Detail
          kind={m.scanners_one()}
          title={titleOf(scanner)}
          plainTitle={titleOf(scanner)}
          state={<DeviceState scanner={scanner} />}
          actions={<Actions scanner={scanner} onAct={setAct} />}
          backTo={paths.scanners}
        >
          <ScannerFacts scanner={scanner} />
          {scanner.offline !== null && <OfflineFacts offline={scanner.offline} />}
          <AuditOf type="scanner" id={scanner.id} />
          {act === 'sign_out' && (
            <SignOutDialog scanner={scanner} onClose={() => setAct(undefined)} />
          )}
          {act === 'clear' && <ClearDialog scanner={scanner} onClose={() => setAct(undefined)} />}
          {act === 'block' && <BlockDialog scanner={scanner} onClose={() => setAct(undefined)} />}
        </Detail>
      )}
    </DetailOf>
  );
}

function Actions({ scanner, onAct }: { scanner: Scanner; onAct: (act: Act) => void }) {
  const lack = useLack()('scanners.manage');
  const isBlocked = scanner.blockedAt !== null;
  return (
    <ActionMenu
      actions={[
        {
          label: m.scanners_sign_out(),
          disabledReason: lack ?? (scanner.isSignedIn ? undefined : m.scanners_reason_signed_out()),
          onPress: () => onAct('sign_out'),
        },
        {
          label: m.scanners_clear(),
          disabledReason: lack ?? (isWaiting(scanner) ? undefined : m.scanners_clear_reason()),
          onPress: () => onAct('clear'),
        },
        {
          label: isBlocked ? m.scanners_allow() : m.scanners_block(),
          isDanger: !isBlocked,
          disabledReason: lack,
          onPress: () => onAct('block'),
        },
      ]}
    />
  );
}

function ScannerFacts({ scanner }: { scanner: Scanner }) {
  const { id, label, venue, userUuid, appVersion, firstSeenAt, lastSeenAt, lastScanAt, blockedAt } =
    scanner;
  return (
    <Facts
      facts={[
        { label: m.scanners_device(), value: label },
        {
          label: m.redemptions_venue(),
          value: venue !== null && <ObjectLink to={paths.venue(venue.id)}>{venue.name}</ObjectLink>,
          isHidden: venue === null,
        },
        {
          label: m.scanners_user(),
          value: userUuid !== null && <SubjectLink type="customer" id={userUuid} />,
          isHidden: userUuid === null,
        },
        { label: m.scanners_last_seen(), value: <Time at={lastSeenAt} /> },
        {
          label: m.scanners_last_scan(),
          value: lastScanAt !== null && <Time at={lastScanAt} />,
          isHidden: lastScanAt === null,
        },
        { label: m.scanners_first_seen(), value: <Time at={firstSeenAt} /> },
        {
          label: m.scanners_version(),
          value: <code className="font-code">{appVersion}</code>,
          isHidden: appVersion === null,
        },
        {
          label: m.scanners_blocked(),
          value: blockedAt !== null && <Time at={blockedAt} />,
          isHidden: blockedAt === null,
        },
        { label: m.console_id(), value: <CopyId id={id} /> },
      ]}
    />
  );
}

interface DialogProps {
  scanner: Scanner;
  onClose: () => void;
}

function SignOutDialog({ scanner, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('signOutScanner');
  return (
    <ActionDialog
      title={m.scanners_sign_out()}
      effect={m.scanners_sign_out_effect({ name: titleOf(scanner) })}
      actLabel={m.scanners_sign_out()}
      doneText={m.scanners_sign_out_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: scanner.id } })}
      onClose={onClose}
    />
  );
}

function BlockDialog({ scanner, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('blockScanner');
  const isBlocking = scanner.blockedAt === null;
  const label = isBlocking ? m.scanners_block() : m.scanners_allow();
  const name = titleOf(scanner);
  return (
    <ActionDialog
      title={label}
      effect={isBlocking ? m.scanners_block_effect({ name }) : m.scanners_allow_effect({ name })}
      actLabel={label}
      isDanger={isBlocking}
      doneText={m.console_saved()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: scanner.id }, body: { isBlocked: isBlocking } })}
      onClose={onClose}
    />
  );
}
