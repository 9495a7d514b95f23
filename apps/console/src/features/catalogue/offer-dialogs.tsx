/** The dialogs to publish, withdraw and discard, each with its effect. */
import { mayDecide } from '@athos/contract/console/permissions';
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { moneyText } from '../../kit/money.tsx';
import { session } from '../../state/session.ts';
import { TIP_KIND, type ConsoleOffer } from './catalogue-words.ts';

export type OfferAct = 'publish' | 'withdraw' | 'discard';

interface DialogProps {
  offer: ConsoleOffer;
  onClose: () => void;
}

export function OfferDialog({ act, ...props }: DialogProps & { act: OfferAct }) {
  switch (act) {
    case 'publish':
      return <PublishDialog {...props} />;
    case 'withdraw':
      return <WithdrawDialog {...props} />;
    case 'discard':
      return <DiscardDialog {...props} />;
  }
}

function PublishDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('publishOffer');
  const current = useValue(session);
  const grants = current.status === 'signed_in' ? current.staff.grants : {};
  const { title, price, kind } = offer.draft?.fields ?? offer.fields;
  const label = offer.state === 'withdrawn' ? m.catalogue_put_back() : m.catalogue_publish();
  const effect =
    kind === TIP_KIND
      ? m.catalogue_publish_effect_tip({ title })
      : m.catalogue_publish_effect({ title, price: moneyText(price, 'ATH') });
  const policy = mayDecide(grants['catalogue.publish'])
    ? m.catalogue_publish_policy()
    : m.catalogue_publish_vote();
  return (
    <ActionDialog<'publishOffer'>
      title={label}
      effect={`${effect} ${policy}`}
      actLabel={label}
      isPending={isPending}
      run={(reason) => run({ params: { id: offer.id }, body: { reason } }, offer.version)}
      doneText={m.catalogue_published()}
      onClose={onClose}
    />
  );
}

function WithdrawDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('withdrawOffer');
  return (
    <ActionDialog<'withdrawOffer'>
      title={m.catalogue_withdraw()}
      effect={m.catalogue_withdraw_effect({ title: offer.fields.title })}
      actLabel={m.catalogue_withdraw()}
      isDanger
      isPending={isPending}
      run={(reason) => run({ params: { id: offer.id }, body: { reason } }, offer.version)}
      doneText={m.catalogue_withdrawn()}
      onClose={onClose}
    />
  );
}

function DiscardDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('discardOfferDraft');
  return (
    <ActionDialog<'discardOfferDraft'>
      title={m.catalogue_discard()}
      effect={m.catalogue_discard_effect()}
      actLabel={m.catalogue_discard()}
      isDanger
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id: offer.id } }, offer.version)}
      doneText={m.catalogue_discarded()}
      onClose={onClose}
    />
  );
}
