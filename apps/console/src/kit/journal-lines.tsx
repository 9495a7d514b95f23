/** The journal lines posted under some keys, in the journal's order. For people who may read the books. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useAdminList } from '../api/admin.ts';
import { paths } from '../routes/paths.ts';
import { ObjectLink, Section } from './detail.tsx';
import { FailureView } from './failure.tsx';
import { accountTitle, KIND_TITLES } from './ledger-words.ts';
import { Money } from './money.tsx';
import { useHolds } from './permission.ts';

export function JournalLines({ keys }: { keys: readonly string[] }) {
  const holds = useHolds();
  return holds('ledger.read') ? <Lines keys={keys} /> : null;
}

function Lines({ keys }: { keys: readonly string[] }) {
  const key = keys.join(',');
  const { rows, failure, reload } = useAdminList('ledgerTransfers', { key });
  return (
    <Section
      title={m.ledger_lines()}
      actions={
        <ObjectLink to={`${paths.ledgerTransfers}?key=${key}`}>{m.ledger_lines_all()}</ObjectLink>
      }
    >
      {rows === undefined && failure === undefined && <Skeleton className="h-24 w-full" />}
      {rows === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {rows?.length === 0 && <p className="text-dense text-ink-quiet">{m.ledger_lines_none()}</p>}
      <ol aria-label={m.ledger_lines()} className="divide-line flex flex-col divide-y">
        {rows?.map(({ id, kind, debit, credit, amount }) => (
          <li
            key={id}
            className="text-dense flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2 first:pt-0"
          >
            <ObjectLink to={paths.ledgerTransfer(id)}>{KIND_TITLES[kind]()}</ObjectLink>
            <span className="text-ink-quiet min-w-0 flex-[1_1_12rem] wrap-anywhere">
              {accountTitle(debit)} <span className="sr-only">{m.ledger_to()}</span>
              <span aria-hidden="true">→</span> {accountTitle(credit)}
            </span>
            <span className="ml-auto">
              <Money units={amount} asset={debit.asset} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
