/** One merchant: the balance it is owed, its open approval requests, and its monthly statement. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Amounts } from '../../kit/amounts.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { inWords } from '../../kit/in-words.ts';
import { Money } from '../../kit/money.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { Statement } from './statement.tsx';

const MerchantDialog = lazy(async () => ({
  default: (await import('./merchant-dialogs.tsx')).MerchantDialog,
}));

export type Merchant = AdminAnswer<'merchant'>;
export type MerchantAct = 'text' | 'archive' | 'settle';

export function MerchantScreen() {
  const { id = '' } = useParams();
  return <MerchantPage key={id} id={id} />;
}

function MerchantPage({ id }: { id: string }) {
  const read = useAdminItem('merchant', { params: { id } });
  const [act, setAct] = useState<MerchantAct>();
  const hasMoney = useHolds()('reports.money');
  return (
    <DetailOf read={read} kind={m.merchants_one()} backTo={paths.merchants}>
      {(merchant) => (
        <Detail
          kind={m.merchants_one()}
          title={merchant.name}
          plainTitle={merchant.name}
          state={merchant.archivedAt !== null && <Badge>{m.merchants_archived()}</Badge>}
          actions={<Actions merchant={merchant} onAct={setAct} />}
          backTo={paths.merchants}
        >
          <div className="@desk/shell:grid-cols-[22rem_minmax(0,1fr)] grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-6">
            <div className="flex min-w-0 flex-col gap-6">
              <Balance merchant={merchant} />
              <MerchantFacts merchant={merchant} />
              <AuditOf type="merchant" id={String(merchant.id)} />
            </div>
            {hasMoney && <Statement merchant={merchant} />}
          </div>
          {act !== undefined && (
            <Suspense fallback={null}>
              <MerchantDialog act={act} merchant={merchant} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

interface ActionsProps {
  merchant: Merchant;
  onAct: (act: MerchantAct) => void;
}

function Actions({ merchant, onAct }: ActionsProps) {
  const lack = useLack();
  const isArchived = merchant.archivedAt !== null;
  const hasNothing =
    merchant.balance === null || BigInt(merchant.balance) > BigInt(0)
      ? undefined
      : m.merchants_reason_nothing();
  return (
    <>
      <ActionMenu
        actions={[
          {
            label: m.merchants_edit(),
            disabledReason: lack('catalogue.edit'),
            onPress: () => onAct('text'),
          },
          {
            label: isArchived ? m.merchants_restore() : m.merchants_archive(),
            isDanger: !isArchived,
            disabledReason: lack('catalogue.edit'),
            onPress: () => onAct('archive'),
          },
        ]}
      />
      <Button
        isDense
        disabledReason={lack('ledger.book') ?? hasNothing}
        onClick={() => onAct('settle')}
      >
        {m.merchants_settle()}
      </Button>
    </>
  );
}

/** The amount that can be settled, and open approval requests. Empty for people who may not read money. */
function Balance({ merchant: { balance, waiting } }: { merchant: Merchant }) {
  if (balance === null) return null;
  const isOwing = balance.startsWith('-');
  return (
    <Section title={m.merchants_balance()}>
      <p className="text-title font-bold">
        <Money units={balance} asset="ATH" isDebtRed />
      </p>
      {isOwing && <p className="text-dense text-ink-quiet">{m.merchants_owing()}</p>}
      {waiting !== null && waiting.length > 0 && (
        <Amounts
          lines={waiting.map(({ approvalId, amount, expiresAt }) => ({
            label: (
              <span className="flex flex-col">
                <ObjectLink to={paths.approval(approvalId)}>{m.merchants_waiting()}</ObjectLink>
                <span className="text-caption">
                  <Time at={expiresAt} />
                </span>
              </span>
            ),
            units: amount,
            asset: 'ATH',
          }))}
        />
      )}
    </Section>
  );
}

function MerchantFacts({ merchant }: { merchant: Merchant }) {
  const holds = useHolds();
  const { id, note, offerCount, createdAt, archivedAt, accountId } = merchant;
  return (
    <Facts
      facts={[
        {
          label: m.catalogue_offers(),
          value: (
            <ObjectLink to={`${paths.offers}?merchantId=${id}`}>
              {m.merchants_offers({ count: offerCount })}
            </ObjectLink>
          ),
        },
        {
          label: m.merchants_note(),
          value: (
            <span className="whitespace-pre-line">{note === '' ? m.console_none() : note}</span>
          ),
        },
        { label: m.merchants_since(), value: <Time at={createdAt} /> },
        {
          label: m.merchants_archived(),
          value: archivedAt !== null && <Time at={archivedAt} />,
          isHidden: archivedAt === null,
        },
        {
          label: m.merchants_ledger(),
          value: (
            <ObjectLink to={paths.ledgerAccount(accountId)}>{inWords(`merchant_${id}`)}</ObjectLink>
          ),
          isHidden: !holds('ledger.read'),
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}
