/** The daily seals: the last entries of ledger and audit at the end of each day, mailed outside the database. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Money } from '../../kit/money.tsx';
import { dayText, Time } from '../../kit/time.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { paths } from '../../routes/paths.ts';

type Seal = RowOf<'ledgerSeals'>;

const SEALS_SHOWN = '7';

export function Seals() {
  const list = useAdminList('ledgerSeals', {
    limit: SEALS_SHOWN,
  });
  const { rows, failure, reload } = list;
  return (
    <Section title={m.ledger_seals_title()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.ledger_seals_lead()}</p>
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Skeleton className="h-24 w-full" />}
      {rows?.length === 0 && <p className="text-dense text-ink-quiet">{m.ledger_seals_none()}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ol aria-label={m.ledger_seals_title()} className="divide-line flex flex-col divide-y">
          {rows.map((seal) => (
            <li key={seal.day}>
              <SealOfDay seal={seal} />
            </li>
          ))}
        </ol>
      )}
      <LoadMore list={list} />
    </Section>
  );
}

function SealOfDay({ seal }: { seal: Seal }) {
  const { day, sealedAt, booksHead, auditHead, auditEntryCount, mailedAt } = seal;
  return (
    <details className="group/seal">
      <summary className="control rounded-dense text-dense hover:bg-sunken -mx-2 flex cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-1 px-2 py-1">
        <ChevronRight
          size={16}
          aria-hidden
          className="text-ink-quiet shrink-0 transition-transform group-open/seal:rotate-90"
        />
        <span className="tabular font-semibold">{dayText(day)}</span>
        <SealBadges seal={seal} />
      </summary>
      <div className="max-w-column flex flex-col gap-2 py-3 pl-7">
        <Facts
          facts={[
            { label: m.ledger_seal_time(), value: <Time at={sealedAt} precision="second" /> },
            {
              label: m.ledger_seal_mailed(),
              value:
                mailedAt === null ? m.console_never() : <Time at={mailedAt} precision="second" />,
            },
            { label: m.ledger_seal_ledger_head(), value: <CopyId id={booksHead} /> },
            { label: m.ledger_seal_audit_head(), value: <CopyId id={auditHead} /> },
            {
              label: m.ledger_seal_audit_entries(),
              value: <span className="tabular">{figures(auditEntryCount)}</span>,
            },
            ...seal.assets
              .filter(({ customers }) => customers !== '0')
              .map(({ asset, customers }) => ({
                label: m.ledger_seal_customers({ asset }),
                value: <Money units={customers} asset={asset} />,
              })),
          ]}
        />
        <ObjectLink to={`${paths.trialBalance}?day=${day}`}>
          {m.ledger_seal_trial_balance()}
        </ObjectLink>
      </div>
    </details>
  );
}

function SealBadges({ seal: { assets, reconciliation, mailedAt } }: { seal: Seal }) {
  const isBalanced = assets.every(({ sum }) => sum === '0');
  return (
    <>
      {isBalanced ? (
        <Badge tone="success">{m.ledger_trial_balanced()}</Badge>
      ) : (
        <Badge tone="danger">{m.ledger_trial_unbalanced()}</Badge>
      )}
      {reconciliation !== null &&
        (reconciliation.isAgreed ? (
          <Badge tone="success">{m.ledger_seal_cards_agree()}</Badge>
        ) : (
          <Badge tone="danger">{m.ledger_seal_cards_differ()}</Badge>
        ))}
      {mailedAt === null && <Badge>{m.ledger_seal_not_mailed()}</Badge>}
    </>
  );
}
