import { NAME_LENGTH_MAX } from '@athos/domain/display-name';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Initial } from '@athos/ui/primitives/avatar';
import { TextField } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { moment } from '@athos/ui/text/moment';
import { useState, type ReactNode } from 'react';
import { saveHandle, saveName, type PublicProfile } from '../../api/public-profile.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const HANDLE_LENGTH_MAX = 21;

interface ChoiceFormProps {
  title: string;
  lead: string;
  label: string;
  placeholder: string;
  hint?: string | undefined;
  /** Rendered before the stored text. */
  leading?: ReactNode;
  lengthMax: number;
  stored: { readonly text: string; readonly isOn: boolean };
  switchLabel: string;
  onSave: (text: string, isOn: boolean) => Promise<string | undefined>;
}

/** A text chosen by the owner, and whether others may see or use it. */
function ChoiceForm(props: ChoiceFormProps) {
  const { stored, onSave } = props;
  const [text, setText] = useState(stored.text);
  const [isOn, setIsOn] = useState(stored.isOn);
  const [fault, setFault] = useState<string>();
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();
  const isSame = text === stored.text && isOn === stored.isOn;

  async function handleSubmit(): Promise<void> {
    if (isPending) return;
    setIsPending(true);
    setFault(await onSave(text, isOn));
    setIsPending(false);
  }

  return (
    <Card>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void handleSubmit();
        }}
      >
        <div className="flex flex-col gap-1">
          <h2 className="font-display text-title font-bold">{props.title}</h2>
          <p className="text-body text-ink-quiet text-pretty">{props.lead}</p>
        </div>
        <TextField
          label={props.label}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setFault(undefined);
          }}
          error={fault}
          hint={props.hint}
          leading={props.leading}
          placeholder={props.placeholder}
          maxLength={props.lengthMax}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Checkbox isChecked={isOn} onCheckedChange={setIsOn}>
          {props.switchLabel}
        </Checkbox>
        <Button
          type="submit"
          variant="quiet"
          isWide
          isPending={isPending}
          disabledReason={offlineReason}
          isDisabled={isSame}
        >
          {m.profile_save()}
        </Button>
      </form>
    </Card>
  );
}

export const NameForm = ({ profile }: { profile: PublicProfile }) => (
  <ChoiceForm
    // A saved change resets the form to the new stored values.
    key={`${profile.displayName} ${profile.showsName}`}
    title={m.profile_name_title()}
    lead={m.profile_name_text()}
    label={m.profile_name_label()}
    placeholder={m.profile_name_placeholder()}
    leading={
      profile.displayName !== '' && (
        <span className="ps-3">
          <Initial name={profile.displayName} />
        </span>
      )
    }
    lengthMax={NAME_LENGTH_MAX}
    stored={{ text: profile.displayName, isOn: profile.showsName }}
    switchLabel={m.profile_name_shown()}
    onSave={saveName}
  />
);

export const HandleForm = ({ profile }: { profile: PublicProfile }) => (
  <ChoiceForm
    key={`${profile.handle} ${profile.isFindable}`}
    title={m.profile_handle_title()}
    lead={m.profile_handle_text()}
    label={m.profile_handle_label()}
    placeholder={m.profile_handle_placeholder()}
    hint={
      profile.handleChangesAt === undefined
        ? undefined
        : m.profile_handle_changes({ date: moment(profile.handleChangesAt) })
    }
    lengthMax={HANDLE_LENGTH_MAX}
    stored={{ text: profile.handle, isOn: profile.isFindable }}
    switchLabel={m.profile_handle_findable()}
    onSave={saveHandle}
  />
);
