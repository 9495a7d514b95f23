import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField, DenseSelect } from '../../kit/dense-field.tsx';
import { Difference } from '../../kit/difference.tsx';
import {
  boundsText,
  factsByLabel,
  faultyMember,
  fieldsOf,
  isFixed,
  memberTitle,
  valueOf,
  voterOptions,
  type Setting,
} from './setting-values.ts';

/** Requests another value. The other organisation votes on it, as on every setting. */
export function SettingDialog({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { run, isPending } = useAdminAction('changeSetting');
  const [fields, setFields] = useState(() => fieldsOf(setting.value));
  const value = valueOf(fields, setting.value);
  const faulty = faultyMember(setting, fields);
  const isSame = JSON.stringify(value) === JSON.stringify(setting.value);
  const isDefault = JSON.stringify(value) === JSON.stringify(setting.byDefault);
  return (
    <ActionDialog
      title={m.programme_setting_change_title()}
      effect={
        <>
          <p>{setting.about}</p>
          <code className="font-code text-caption wrap-anywhere">{setting.key}</code>
        </>
      }
      actLabel={m.programme_setting_ask()}
      doneText={m.programme_setting_done()}
      disabledReason={
        faulty === undefined
          ? isSame
            ? m.programme_setting_same()
            : undefined
          : m.programme_setting_out_of_bounds({ field: memberTitle(faulty) })
      }
      isPending={isPending}
      run={(reason) =>
        run({ params: { id: setting.key }, body: { value: isDefault ? null : value, reason } })
      }
      onClose={onClose}
    >
      {Object.keys(fields).map((member) => (
        <MemberField
          key={member}
          setting={setting}
          member={member}
          text={fields[member] ?? ''}
          onChange={(text) => setFields({ ...fields, [member]: text })}
        />
      ))}
      {!isSame && <Difference before={factsByLabel(setting.value)} after={factsByLabel(value)} />}
    </ActionDialog>
  );
}

interface MemberFieldProps {
  setting: Setting;
  member: string;
  text: string;
  onChange: (text: string) => void;
}

function MemberField({ setting, member, text, onChange }: MemberFieldProps) {
  const label = memberTitle(member);
  if (member === 'voters') {
    return (
      <DenseSelect label={label} value={text} onValueChange={onChange} options={voterOptions()} />
    );
  }
  return (
    <DenseField
      label={label}
      inputMode="decimal"
      value={text}
      onValueChange={onChange}
      readOnly={setting.bounds.some((bound) => bound.member === member && isFixed(bound))}
      hint={boundsText(setting, member)}
    />
  );
}
