import { payCodeOfText } from '@athos/domain/pay-code';
import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { ButtonLink } from '@athos/ui/primitives/button';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { Notice } from '@athos/ui/primitives/notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { payLinkQuery, type Recipient } from '../../api/recipients.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { EMPTY_DRAFT, sendDraftOf } from '../../state/send-draft.ts';
import { askedFields } from './asked-amount.tsx';

/** `/app/pay?code=`: the target of a pay link. It leads into the send flow. */
export function PayScreen() {
  const { search } = useLocation();
  const code = payCodeOfText(new URLSearchParams(search).get('code') ?? '');
  return (
    <Screen title={m.send_pay_title()} backTo={paths.home} width="form">
      {code === undefined ? <Ended /> : <PayLink code={code} />}
    </Screen>
  );
}

const Ended = () => (
  <Notice
    kind="danger"
    action={
      <ButtonLink variant="quiet" isCompact to={paths.send}>
        {m.send_pay_other()}
      </ButtonLink>
    }
  >
    {m.send_pay_ended()}
  </Notice>
);

function PayLink({ code }: { code: string }) {
  const { data, refetch } = useQuery(payLinkQuery(code));
  if (data === undefined) return <SkeletonRows count={1} label={m.send_pay_loading()} />;
  switch (data.status) {
    case 'found':
      return <Enter recipient={data.recipient} />;
    case 'unknown':
      return <Ended />;
    case 'too_many':
      return <Notice kind="danger">{m.send_reason_too_many()}</Notice>;
    case 'failed':
      return <FailureNotice text={m.send_pay_failed()} onTryAgain={() => void refetch()} />;
  }
}

/** Enters the receiver and the amount they ask for, and opens the first step with something left to decide. */
function Enter({ recipient: { address, pay } }: { recipient: Recipient }) {
  const userUuid = useUserUuid();
  const navigate = useNavigate();
  const isOwn = address === userUuid.toLowerCase();

  useEffect(() => {
    if (isOwn) return;
    const amount = pay?.amount;
    sendDraftOf(userUuid).change({
      ...EMPTY_DRAFT,
      address,
      asset: pay?.asset ?? 'ATH',
      paymentAmount: amount ?? '',
      ...askedFields(pay),
    });
    // The recipient step shows any warning about the address.
    void navigate(amount === undefined ? paths.send : paths.sendRecipient, { replace: true });
  }, [isOwn, userUuid, address, pay, navigate]);

  return isOwn ? <Notice kind="info">{m.send_pay_own()}</Notice> : null;
}
