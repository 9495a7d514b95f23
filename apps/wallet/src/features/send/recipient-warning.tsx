import { compareGroups, type AddressGroup } from '@athos/domain/look-alike';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Notice } from '@athos/ui/primitives/notice';
import type { RecipientWarning } from './use-recipient-warning.ts';

/** If the send cannot be undone, or the undo time is unknown, the text promises none. */
const firstTimeText = (seconds = 0): string =>
  seconds === 0 ? m.send_first_time() : m.send_first_time_undo({ seconds });

export const unusualText = (seconds = 0): string =>
  seconds === 0 ? m.send_unusual() : m.send_unusual_undo({ seconds });

/** The warning about an address, shown before the sender goes on. */
export function RecipientWarningNotice({ warning }: { warning: RecipientWarning }) {
  switch (warning.kind) {
    case 'none':
      return null;
    case 'first_time':
      return <Notice kind="info">{firstTimeText(warning.seconds)}</Notice>;
    case 'look_alike':
      return <LookAlikeNotice {...warning} />;
  }
}

type LookAlike = Extract<RecipientWarning, { kind: 'look_alike' }>;

/** Both addresses in full, with the differences underlined and bold: people compare only the beginning and the end. */
function LookAlikeNotice({ address, known, name, isCompared, setCompared }: LookAlike) {
  return (
    <Notice kind="danger" title={m.send_look_alike_title()}>
      <p>{m.send_look_alike_text()}</p>
      <dl className="flex flex-col gap-2 py-3">
        <Compared label={m.send_look_alike_new()} groups={compareGroups(address, known)} />
        <Compared
          label={name === undefined ? m.send_look_alike_known() : m.send_look_alike_named({ name })}
          groups={compareGroups(known, address)}
        />
      </dl>
      <Checkbox isChecked={isCompared} onCheckedChange={setCompared}>
        {m.send_look_alike_confirm()}
      </Checkbox>
    </Notice>
  );
}

function Compared({ label, groups }: { label: string; groups: readonly AddressGroup[] }) {
  return (
    <div>
      <dt className="text-caption text-ink-quiet wrap-anywhere">{label}</dt>
      <dd className="font-code text-body break-all">
        {groups.map(({ text, isDifferent }, index) => (
          // Groups have no identity but their position.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>
            {index > 0 && '-'}
            {isDifferent ? <mark className={markClass}>{text}</mark> : text}
          </span>
        ))}
      </dd>
    </div>
  );
}

const markClass = 'text-danger bg-transparent font-bold underline decoration-2 underline-offset-2';
