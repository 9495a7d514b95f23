/** The queue: its length, its jobs with their failures, and the opened job beside the list. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList, type RowOf } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { Facts } from '../../kit/detail.tsx';
import { figures } from '../../kit/figures.ts';
import { ListDetail } from '../../kit/list-detail.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { JobDetail } from './job-detail.tsx';
import { JOB_STATE_WORDS, taskTitle } from './job-words.ts';

type Job = RowOf<'jobs'>;
type Queue = AdminAnswer<'jobQueue'>;

const POLL_MS = 5_000;

const filtersFor = (queue: Queue | undefined): readonly Filter[] => [
  {
    id: 'state',
    label: m.jobs_state(),
    kind: 'choice',
    options: Object.entries(JOB_STATE_WORDS).map(([value, { title }]) => ({
      value,
      label: title(),
    })),
  },
  {
    id: 'task',
    label: m.jobs_task(),
    kind: 'choice',
    options: queue?.tasks.map(({ task }) => ({ value: task, label: taskTitle(task) })) ?? [],
  },
];

const columns = (): readonly Column<Job>[] => [
  {
    id: 'task',
    title: m.jobs_task(),
    cell: ({ task }) => taskTitle(task),
  },
  {
    id: 'state',
    title: m.jobs_state(),
    cell: ({ state }) => (
      <Badge tone={JOB_STATE_WORDS[state].tone}>{JOB_STATE_WORDS[state].title()}</Badge>
    ),
  },
  {
    id: 'failure',
    title: m.jobs_failure(),
    cell: ({ failure }) => <span className="wrap-anywhere">{failure}</span>,
    from: 'large',
  },
  {
    id: 'attempts',
    title: m.jobs_attempts(),
    cell: ({ attempts, attemptsMax }) => (
      <span className="tabular">{`${attempts} / ${attemptsMax}`}</span>
    ),
    align: 'end',
    from: 'medium',
  },
  {
    id: 'run',
    title: m.jobs_run_at(),
    cell: ({ runAt }) => <Time at={runAt} />,
    align: 'end',
    from: 'medium',
  },
];

export function JobsScreen() {
  const { id } = useParams();
  const { item: queue } = useAdminItem('jobQueue', {}, { pollMs: () => POLL_MS });
  const filters = filtersFor(queue);
  const view = useListView(filters);
  const list = useAdminList('jobs', view.query, {}, { pollMs: POLL_MS });
  return (
    <ListDetail
      list={
        <ListPage
          title={m.jobs_title()}
          list={list}
          view={view}
          filters={filters}
          columns={columns()}
          keyOf={(job) => job.id}
          pathOf={(job) => paths.job(job.id)}
          openKey={id}
          path={paths.jobs}
          emptyText={m.jobs_empty()}
          lead={
            queue === undefined ? (
              <Skeleton className="h-24 w-full" />
            ) : (
              <QueueFacts queue={queue} />
            )
          }
        />
      }
      detail={id === undefined ? undefined : <JobDetail key={id} id={id} />}
    />
  );
}

function QueueFacts({ queue }: { queue: Queue }) {
  const { tasks, isAtLeast, events } = queue;
  const sum = (key: 'waiting' | 'running' | 'retrying' | 'failed'): number =>
    tasks.reduce((total, task) => total + task[key], 0);
  const [oldest] = tasks.flatMap(({ dueSince }) => dueSince ?? []).toSorted();
  const waiting = figures(sum('waiting') + sum('retrying'));
  return (
    <Facts
      isWide
      facts={[
        {
          label: m.jobs_waiting(),
          value: isAtLeast ? m.console_count_at_least({ count: waiting }) : waiting,
        },
        {
          label: m.jobs_oldest(),
          value: oldest === undefined ? m.console_none() : <Time at={oldest} precision="second" />,
        },
        { label: m.jobs_running(), value: figures(sum('running')) },
        { label: m.jobs_failed(), value: figures(sum('failed')) },
        {
          label: m.jobs_events(),
          value: m.jobs_events_counts({
            received: figures(events.received),
            unprocessed: figures(events.unprocessed),
          }),
        },
        {
          label: m.jobs_events_last(),
          value:
            events.lastReceivedAt === null ? (
              m.console_none()
            ) : (
              <Time at={events.lastReceivedAt} precision="second" />
            ),
        },
        {
          label: m.jobs_events_oldest(),
          value: events.unprocessedSince !== null && (
            <Time at={events.unprocessedSince} precision="second" />
          ),
          isHidden: events.unprocessedSince === null,
        },
      ]}
    />
  );
}
