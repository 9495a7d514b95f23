import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { ask } from '../../api/call.ts';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, ObjectLink, Section, type Fact } from '../../kit/detail.tsx';
import { useHolds } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import type { Customer } from './customer-screen.tsx';

export function CustomerFacts({ customer }: { customer: Customer }) {
  const holds = useHolds();
  const { tier, termsVersion, termsAcceptedAt, closedAt, sessions, devices } = customer;
  const [lastDevice] = devices.toSorted((one, other) =>
    other.lastSeenAt.localeCompare(one.lastSeenAt),
  );
  return (
    <Section title={m.customers_facts()}>
      <Facts
        facts={[
          {
            label: m.common_email(),
            value: <Email customer={customer} />,
            isHidden: customer.email === null,
          },
          ...namesOf(customer),
          { label: m.customers_tier(), value: tier?.title ?? m.console_none() },
          {
            label: m.customers_since(),
            value: <Time at={customer.createdAt} precision="day" />,
          },
          {
            label: m.customers_verified(),
            value: <Time at={customer.verifiedAt} precision="day" />,
          },
          {
            label: m.customers_terms(),
            value: termsAcceptedAt !== null && (
              <>
                {m.customers_terms_since({ version: termsVersion ?? '' })}{' '}
                <Time at={termsAcceptedAt} precision="day" />
              </>
            ),
            isHidden: termsAcceptedAt === null,
          },
          {
            label: m.customers_sessions(),
            value: m.customers_sessions_count({ count: sessions.length }),
          },
          {
            label: m.customers_devices(),
            value: (
              <>
                {devices.length}
                {lastDevice !== undefined && (
                  <>
                    , {m.customers_last_seen()} <Time at={lastDevice.lastSeenAt} />
                  </>
                )}
              </>
            ),
          },
          {
            label: m.customers_closed_at(),
            value: closedAt !== null && <Time at={closedAt} />,
            isHidden: closedAt === null,
          },
          ...listsOf(customer, holds),
          { label: m.console_id(), value: <CopyId id={customer.uuid} /> },
        ]}
      />
    </Section>
  );
}

/** The display name and handle that the customer chose. */
const namesOf = ({ publicNames }: Customer): readonly Fact[] => {
  const { displayName, showsName, handle, isFindable } = publicNames;
  return [
    {
      label: m.customers_names_name(),
      value: (
        <>
          <bdi>{displayName}</bdi>{' '}
          <span className="text-ink-quiet">
            {showsName ? m.customers_names_shown() : m.customers_names_hidden()}
          </span>
        </>
      ),
      isHidden: displayName === null,
    },
    {
      label: m.customers_names_handle(),
      value: (
        <>
          @{handle}{' '}
          {!isFindable && <span className="text-ink-quiet">{m.customers_names_unfindable()}</span>}
        </>
      ),
      isHidden: handle === null,
    },
  ];
};

/** The lists that can be filtered by this customer. */
const listsOf = ({ uuid }: Customer, holds: ReturnType<typeof useHolds>): readonly Fact[] => [
  {
    label: m.sales_title(),
    value: <AllOf list={paths.purchases} uuid={uuid} />,
    isHidden: !holds('purchases.read'),
  },
  {
    label: m.redemptions_title(),
    value: <AllOf list={paths.redemptions} uuid={uuid} />,
    isHidden: !holds('scans.read'),
  },
  {
    label: m.payments_title(),
    value: <AllOf list={paths.payments} uuid={uuid} />,
    isHidden: !holds('payments.read'),
  },
  {
    label: m.disputes_title(),
    value: <AllOf list={paths.disputes} uuid={uuid} view="all" />,
    isHidden: !holds('payments.read'),
  },
  {
    label: m.disputes_debts_title(),
    value: <AllOf list={paths.debts} uuid={uuid} />,
    isHidden: !holds('payments.read'),
  },
];

/** `view`: the tab of the list, unless it is the first. */
function AllOf({ list, uuid, view }: { list: string; uuid: string; view?: string }) {
  const query = new URLSearchParams({ ...(view !== undefined && { view }), customerUuid: uuid });
  return <ObjectLink to={`${list}?${query.toString()}`}>{m.console_view_all()}</ObjectLink>;
}

/** The masked address. Staff with the permission can reveal the whole one, which writes an audit entry. */
function Email({ customer: { uuid, email } }: { customer: Customer }) {
  const holds = useHolds();
  const [whole, setWhole] = useState<string>();
  const [state, setState] = useState<'idle' | 'asked' | 'failed'>('idle');
  async function handleShow(): Promise<void> {
    setState('asked');
    try {
      const answer = await ask('customerContact', { params: { uuid } });
      setWhole(answer.email ?? '');
    } catch {
      setState('failed');
    }
  }
  if (whole !== undefined) {
    return (
      <span className="flex flex-col">
        <CopyId id={whole} />
        <span role="status" className="text-caption text-ink-quiet">
          {m.customers_email_shown()}
        </span>
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="wrap-anywhere">{email}</span>
      {holds('customers.contact') && (
        // Aligns the button's text with the address, even on a line of its own.
        <span className="-ml-3">
          <Button
            variant="plain"
            isDense
            isPending={state === 'asked'}
            onClick={() => void handleShow()}
          >
            {m.customers_email_show()}
          </Button>
        </span>
      )}
      <span role="alert" className="text-caption text-danger">
        {state === 'failed' && m.customers_email_failed()}
      </span>
    </span>
  );
}
