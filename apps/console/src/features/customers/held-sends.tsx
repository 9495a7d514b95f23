/** Sends of the customer that have not arrived yet. They last a minute at most, so they are polled often. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Section } from '../../kit/detail.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import type { Customer } from './customer-screen.tsx';

type HeldSend = AdminAnswer<'customerHeldSends'>['items'][number];

const POLL_MS = 5_000;

/** Renders nothing if there are none or they cannot be read, because the timeline shows them too. */
export function HeldSends({ customer: { uuid, isOwn } }: { customer: Customer }) {
  const { item } = useAdminItem(
    'customerHeldSends',
    { params: { uuid } },
    { pollMs: () => POLL_MS },
  );
  const [returned, setReturned] = useState<HeldSend>();
  const lack = useLack();
  const obstacle = lack('customers.hold') ?? (isOwn ? m.customers_own() : undefined);
  const sends = item?.items ?? [];
  if (sends.length === 0 && returned === undefined) return null;
  return (
    <Section title={m.customers_sends()}>
      <ul className="divide-line flex flex-col divide-y">
        {sends.map((send) => (
          <li key={send.id} className="flex flex-col items-start gap-2 py-3 first:pt-0">
            <div className="text-dense flex flex-col gap-1">
              <span className="font-semibold">
                <Money units={`-${send.amountUnits}`} asset={send.asset} isMovement />
              </span>
              <SubjectLink type="customer" id={send.toUuid} />
              <span className="text-caption text-ink-quiet">
                {m.customers_sends_arrives()} <Time at={send.postAt} precision="second" />
              </span>
            </div>
            <Button
              variant="quiet"
              isDense
              disabledReason={obstacle}
              onClick={() => setReturned(send)}
            >
              {m.customers_sends_return()}
            </Button>
          </li>
        ))}
      </ul>
      {returned !== undefined && (
        <ReturnDialog uuid={uuid} send={returned} onClose={() => setReturned(undefined)} />
      )}
    </Section>
  );
}

function ReturnDialog(props: { uuid: string; send: HeldSend; onClose: () => void }) {
  const { uuid, send, onClose } = props;
  const { run, isPending } = useAdminAction('returnHeldSend');
  const amount = moneyText(send.amountUnits, send.asset);
  return (
    <ActionDialog
      title={m.customers_sends_return_title()}
      effect={m.customers_sends_return_effect({ amount })}
      actLabel={m.customers_sends_return()}
      isDanger
      doneText={m.customers_sends_return_done()}
      isPending={isPending}
      run={(reason) => run({ params: { uuid, id: send.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
