/** One job: its failure, with the actions to retry or to end it. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog, OutcomeNotice } from '../../kit/action-dialog.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { JOB_STATE_WORDS, taskTitle } from './job-words.ts';

type Job = AdminAnswer<'job'>;

export function JobDetail({ id }: { id: string }) {
  const read = useAdminItem('job', { params: { id } });
  const retry = useAdminAction('retryJob');
  const [failure, setFailure] = useState<ActionOutcome<'retryJob'>>();
  const [isGivingUp, setIsGivingUp] = useState(false);

  async function handleRetry(): Promise<void> {
    const outcome = await retry.run({ params: { id } });
    setFailure(outcome.kind === 'done' ? undefined : outcome);
  }

  return (
    <DetailOf read={read} kind={m.jobs_one()} backTo={paths.jobs}>
      {(job) => (
        <Detail
          kind={m.jobs_one()}
          title={taskTitle(job.task)}
          plainTitle={`${taskTitle(job.task)} ${job.id}`}
          state={
            <Badge tone={JOB_STATE_WORDS[job.state].tone}>
              {JOB_STATE_WORDS[job.state].title()}
            </Badge>
          }
          actions={
            <Actions
              job={job}
              isPending={retry.isPending}
              onRetry={() => void handleRetry()}
              onGiveUp={() => setIsGivingUp(true)}
            />
          }
          backTo={paths.jobs}
        >
          {failure !== undefined && <OutcomeNotice outcome={failure} />}
          {job.failure !== null && (
            <Notice kind={job.state === 'failed' ? 'danger' : 'info'} title={m.jobs_failure()}>
              <span className="wrap-anywhere">{job.failure}</span>
            </Notice>
          )}
          <JobFacts job={job} />
          <AuditOf type="job" id={job.id} />
          {isGivingUp && <GiveUpDialog job={job} onClose={() => setIsGivingUp(false)} />}
        </Detail>
      )}
    </DetailOf>
  );
}

interface ActionsProps {
  job: Job;
  isPending: boolean;
  onRetry: () => void;
  onGiveUp: () => void;
}

function Actions({ job, isPending, onRetry, onGiveUp }: ActionsProps) {
  const lack = useLack()('jobs.manage');
  const hasFailed = job.state === 'failed' || job.state === 'retrying';
  const isLeft = job.state === 'waiting' || job.state === 'retrying';
  return (
    <>
      <Button
        variant="quiet"
        isDense
        disabledReason={lack ?? (isLeft ? undefined : m.jobs_reason_over())}
        onClick={onGiveUp}
      >
        {m.jobs_give_up()}
      </Button>
      <Button
        isDense
        isPending={isPending}
        disabledReason={lack ?? (hasFailed ? undefined : m.jobs_reason_not_failed())}
        onClick={onRetry}
      >
        {m.jobs_retry()}
      </Button>
    </>
  );
}

function JobFacts({ job }: { job: Job }) {
  const { id, task, attempts, attemptsMax, createdAt, runAt, customerUuid } = job;
  return (
    <Facts
      facts={[
        { label: m.jobs_attempts(), value: `${attempts} / ${attemptsMax}` },
        { label: m.jobs_created(), value: <Time at={createdAt} precision="second" /> },
        { label: m.jobs_run_at(), value: <Time at={runAt} precision="second" /> },
        {
          label: m.approvals_customer(),
          value: customerUuid !== null && <SubjectLink type="customer" id={customerUuid} />,
          isHidden: customerUuid === null,
        },
        { label: m.console_audit_code(), value: <CopyId id={task} /> },
        { label: m.console_id(), value: <CopyId id={id} /> },
      ]}
    />
  );
}

function GiveUpDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { run, isPending } = useAdminAction('giveUpJob');
  return (
    <ActionDialog
      title={m.jobs_give_up()}
      effect={m.jobs_give_up_effect({ task: taskTitle(job.task) })}
      actLabel={m.jobs_give_up()}
      isDanger
      doneText={m.jobs_give_up_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: job.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
