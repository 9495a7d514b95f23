/** The dialogs with the actions on a venue. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseText } from '../../kit/dense-field.tsx';
import type { Venue, VenueAct } from './venue-detail.tsx';
import { EnrolDialog, SignOutDialog } from './venue-scanner-dialogs.tsx';

interface DialogProps {
  venue: Venue;
  onClose: () => void;
}

export function VenueDialog({ act, ...props }: DialogProps & { act: VenueAct }) {
  switch (act.kind) {
    case 'text':
      return <VenueTextDialog {...props} />;
    case 'archive':
      return <ArchiveDialog {...props} />;
    case 'bind':
      return <BindDialog {...props} />;
    case 'sign_out':
      return <SignOutDialog {...props} />;
    case 'enrol':
      return <EnrolDialog {...props} />;
    case 'unbind':
      return <UnbindDialog {...props} member={act.member} />;
  }
}

interface TextDialogProps {
  /** `undefined` for a new one. */
  venue: Venue | undefined;
  /** Called with the id of a new venue. */
  onClose: (addedId?: number) => void;
}

const textsOf = (venue: Venue | undefined) => ({
  name: venue?.name ?? '',
  address: venue?.address ?? '',
  hours: venue?.hours ?? '',
});

/** Edits name, address and opening hours. Changes that another person saved meanwhile are shown beside the typed text. */
export function VenueTextDialog({ venue, onClose }: TextDialogProps) {
  const create = useAdminAction('createVenue');
  const change = useAdminAction('changeVenue');
  const [typed, setTyped] = useState(textsOf(venue));
  const [version, setVersion] = useState(venue?.version ?? 0);
  const [present, setPresent] = useState<Venue>();
  const isPending = create.isPending || change.isPending;
  const body = {
    name: typed.name.trim(),
    address: typed.address.trim(),
    hours: typed.hours.trim(),
  };
  type Outcome = ActionOutcome<'createVenue' | 'changeVenue'>;

  async function run(): Promise<Outcome> {
    if (venue === undefined) return create.run({ body });
    const outcome = await change.run({ params: { id: venue.id }, body }, version);
    if (outcome.kind !== 'conflict') return outcome;
    const other = outcome.present as Venue;
    setVersion(other.version);
    setPresent(other);
    return outcome;
  }

  function handleTake(other: Venue): void {
    setTyped(textsOf(other));
    setPresent(undefined);
  }

  return (
    <ActionDialog
      title={venue === undefined ? m.venues_add_title() : m.venues_edit_title({ name: venue.name })}
      effect={m.venues_text_effect()}
      actLabel={venue === undefined ? m.venues_add() : m.console_save()}
      doneText={m.console_saved()}
      hasReason={false}
      hasConflictView
      disabledReason={body.name === '' || body.address === '' ? m.venues_reason_text() : undefined}
      isPending={isPending}
      run={run}
      onClose={(outcome) =>
        onClose(
          venue === undefined && outcome?.kind === 'done'
            ? (outcome.answer as Venue).id
            : undefined,
        )
      }
    >
      {present !== undefined && (
        <Conflict
          present={textsOf(present)}
          typed={body}
          isPending={isPending}
          onKeep={() => void run().then((outcome) => outcome.kind === 'done' && onClose())}
          onTake={() => handleTake(present)}
        />
      )}
      <TextFields texts={typed} onChange={setTyped} />
    </ActionDialog>
  );
}

type Texts = ReturnType<typeof textsOf>;

function TextFields({ texts, onChange }: { texts: Texts; onChange: (texts: Texts) => void }) {
  return (
    <>
      <DenseField
        label={m.venues_name()}
        value={texts.name}
        onValueChange={(name) => onChange({ ...texts, name })}
        maxLength={80}
      />
      <DenseField
        label={m.venues_address()}
        value={texts.address}
        onValueChange={(address) => onChange({ ...texts, address })}
        maxLength={200}
      />
      <DenseText
        label={m.venues_hours()}
        hint={m.venues_hours_hint()}
        value={texts.hours}
        onValueChange={(hours) => onChange({ ...texts, hours })}
        maxLength={500}
      />
    </>
  );
}

function ArchiveDialog({ venue, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('archiveVenue');
  const isArchiving = venue.archivedAt === null;
  const label = isArchiving ? m.venues_archive() : m.venues_reopen();
  return (
    <ActionDialog
      title={label}
      effect={
        isArchiving
          ? m.venues_archive_effect({ name: venue.name, count: venue.staffCount })
          : m.venues_reopen_effect({ name: venue.name, count: venue.staffCount })
      }
      actLabel={label}
      isDanger={isArchiving}
      doneText={m.console_saved()}
      hasReason={false}
      isPending={isPending}
      run={() =>
        run({ params: { id: venue.id }, body: { isArchived: isArchiving } }, venue.version)
      }
      onClose={onClose}
    />
  );
}

function BindDialog({ venue, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('bindVenueStaff');
  const [account, setAccount] = useState('');
  return (
    <ActionDialog
      title={m.venues_bind_title({ name: venue.name })}
      effect={m.venues_bind_effect()}
      actLabel={m.venues_bind()}
      doneText={m.venues_bind_done()}
      hasReason={false}
      disabledReason={account.trim() === '' ? m.venues_reason_account() : undefined}
      isPending={isPending}
      run={() => run({ params: { id: venue.id }, body: { account: account.trim() } })}
      onClose={onClose}
    >
      <DenseField
        label={m.venues_account()}
        value={account}
        onValueChange={setAccount}
        inputMode="email"
        maxLength={254}
      />
    </ActionDialog>
  );
}

function UnbindDialog(props: DialogProps & { member: Venue['staff'][number] }) {
  const { venue, member, onClose } = props;
  const { run, isPending } = useAdminAction('unbindVenueStaff');
  return (
    <ActionDialog
      title={m.venues_unbind_title()}
      effect={m.venues_unbind_effect({ email: member.email, name: venue.name })}
      actLabel={m.venues_unbind()}
      isDanger
      doneText={m.venues_unbind_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: venue.id, uuid: member.uuid } })}
      onClose={onClose}
    />
  );
}
