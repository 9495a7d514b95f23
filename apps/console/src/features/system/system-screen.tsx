/** Programs, database, external services, backups and verifications, each with its age. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import type { ReactNode } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { Facts, ObjectLink, Section, type Fact } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';

type System = AdminAnswer<'system'>;

const POLL_MS = 10_000;

export function SystemScreen() {
  const { item, failure, reload } = useAdminItem('system', {}, { pollMs: () => POLL_MS });
  return (
    <Page
      title={m.system_title()}
      actions={<ObjectLink to={paths.brakes}>{m.brakes_title()}</ObjectLink>}
    >
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item !== undefined && (
        <div className="max-w-column flex flex-col gap-6 pb-8">
          <p className="text-caption text-ink-quiet">
            {m.system_read_at()} <Time at={item.at} precision="second" />
          </p>
          <Processes system={item} />
          <Database database={item.database} />
          <Outside system={item} />
          <Kept system={item} />
        </div>
      )}
    </Page>
  );
}

const MEBIBYTE = 1024 * 1024;
const mebibytes = (bytes: number): string =>
  m.system_mebibytes({ count: figures(Math.round(bytes / MEBIBYTE)) });

/** A program of another release may have another name. */
const PROGRAM_TITLES: Readonly<Record<string, () => string>> = {
  api: m.system_program_api,
  console: m.system_program_console,
  worker: m.system_program_worker,
};

function Processes({ system }: { system: System }) {
  return (
    <Section title={m.system_processes()}>
      {system.processes.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.system_processes_none()}</p>
      )}
      <ul className="divide-line flex flex-col divide-y">
        {system.processes.map((process) => (
          <li key={process.id} className="flex flex-col gap-1 py-3 first:pt-0">
            <span className="text-dense flex flex-wrap items-center gap-x-3 font-semibold">
              {PROGRAM_TITLES[process.program]?.() ?? process.program}
              {process.isGone ? (
                <Badge tone="danger">{m.system_gone()}</Badge>
              ) : (
                <Badge tone="success">{m.system_runs()}</Badge>
              )}
            </span>
            <Facts
              isWide
              facts={[
                {
                  label: m.system_version(),
                  value: <code className="font-code">{process.version}</code>,
                },
                { label: m.system_started(), value: <Time at={process.startedAt} /> },
                { label: m.system_memory(), value: mebibytes(process.memoryBytes) },
                {
                  label: m.system_delay(),
                  value: m.system_milliseconds({ count: process.loopDelayMs }),
                },
                {
                  label: m.system_seen(),
                  value: <Time at={process.seenAt} precision="second" />,
                },
              ]}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Database({ database }: { database: System['database'] }) {
  const { byteCount, connections, connectionsMax, oldestTransactionSeconds, replicas } = database;
  return (
    <Section title={m.system_database()}>
      <Facts
        facts={[
          { label: m.system_size(), value: mebibytes(byteCount) },
          { label: m.system_connections(), value: `${connections} / ${connectionsMax}` },
          {
            label: m.system_oldest(),
            value:
              oldestTransactionSeconds === null
                ? m.console_none()
                : m.system_seconds({ count: oldestTransactionSeconds }),
          },
          {
            label: m.system_replicas(),
            value:
              replicas.length === 0
                ? m.console_none()
                : replicas
                    .map(({ name, state, lagSeconds }) =>
                      m.system_replica({ name, state, seconds: lagSeconds.toFixed(1) }),
                    )
                    .join(', '),
          },
          {
            label: m.system_role(),
            value: m.system_is_replica(),
            isHidden: !database.isReplica,
          },
        ]}
      />
    </Section>
  );
}

const OUTSIDE_TITLES = {
  provider: m.system_provider,
  mail: m.system_mail,
  rate: m.system_rate,
};

/** A service counts as failing if its last result was a failure. */
function OutsideState({ okAt, failedAt }: System['outside'][number]) {
  if (okAt === null && failedAt === null) return <>{m.system_unknown()}</>;
  const isFailing = failedAt !== null && (okAt === null || failedAt > okAt);
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={isFailing ? 'danger' : 'success'}>
        {isFailing ? m.system_failing() : m.system_answers()}
      </Badge>
      {okAt !== null && (
        <span>
          {m.system_ok_at()} <Time at={okAt} />
        </span>
      )}
      {failedAt !== null && (
        <span>
          {m.system_failed_at()} <Time at={failedAt} />
        </span>
      )}
    </span>
  );
}

const Outside = ({ system }: { system: System }) => (
  <Section title={m.system_outside()}>
    <Facts
      facts={system.outside.map((outside) => ({
        label: OUTSIDE_TITLES[outside.name](),
        value: <OutsideState {...outside} />,
      }))}
    />
  </Section>
);

type Verified = NonNullable<System['verified']['ledger']>;

const VERIFIED: Readonly<Record<Verified['state'], { title: () => string; tone: Tone }>> = {
  running: { title: m.ledger_chain_running, tone: 'info' },
  right: { title: m.ledger_chain_right, tone: 'success' },
  wrong: { title: m.ledger_chain_wrong, tone: 'danger' },
  failed: { title: m.ledger_chain_failed, tone: 'danger' },
};

const verifiedValue = (verified: Verified | null): ReactNode =>
  verified === null ? (
    m.system_never()
  ) : (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={VERIFIED[verified.state].tone}>{VERIFIED[verified.state].title()}</Badge>
      <Time at={verified.at} />
    </span>
  );

function Kept({ system }: { system: System }) {
  const { told, verified } = system;
  const toldFact = (kind: 'backup' | 'restore_test', label: string): Fact => {
    const found = told.find((event) => event.kind === kind);
    return {
      label,
      value:
        found === undefined ? (
          m.system_not_told()
        ) : (
          <span className="wrap-anywhere">
            <Time at={found.at} /> {found.note}
          </span>
        ),
    };
  };
  return (
    <Section title={m.system_kept()}>
      <Facts
        facts={[
          toldFact('backup', m.system_backup()),
          toldFact('restore_test', m.system_restore_test()),
          { label: m.system_ledger(), value: verifiedValue(verified.ledger) },
          { label: m.system_audit(), value: verifiedValue(verified.audit) },
        ]}
      />
    </Section>
  );
}
