import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { paths } from '../../routes/paths.ts';
import type { SendDraft } from '../../state/send-draft.ts';
import { DraftDetails } from './draft-details.tsx';

interface OpenSendingProps {
  draft: SendDraft;
  title: string;
  backTo: string;
}

/** Replaces a step while the outcome of a send is unknown: the send cannot be changed, and no other can start. */
export function OpenSending({ draft, title, backTo }: OpenSendingProps) {
  return (
    <Screen
      title={title}
      backTo={backTo}
      width="form"
      action={
        <ButtonLink to={paths.sendSummary} isWide>
          {m.send_open_continue()}
        </ButtonLink>
      }
    >
      <Notice kind="danger">{m.send_open_text()}</Notice>
      <DraftDetails draft={draft} />
    </Screen>
  );
}
