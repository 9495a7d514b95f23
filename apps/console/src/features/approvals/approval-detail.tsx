import { m } from '@athos/messages/messages';
import { lazy, Suspense, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf, Section } from '../../kit/detail.tsx';
import { Difference } from '../../kit/difference.tsx';
import { paths } from '../../routes/paths.ts';
import type { ApprovalAct } from './approval-dialogs.tsx';
import { ApprovalFacts, Value, Votes, Warnings } from './approval-facts.tsx';
import { actionTitle, STATE_TITLES, STATE_TONES } from './approval-words.ts';
import { Decision } from './decision.tsx';

const ApprovalDialog = lazy(async () => ({
  default: (await import('./approval-dialogs.tsx')).ApprovalDialog,
}));

export type Approval = AdminAnswer<'approval'>;

/** One request: what it would change, its worth and reason, what voters should check, and who has voted. */
export function ApprovalDetail({ id }: { id: string }) {
  const read = useAdminItem('approval', { params: { id } });
  const [act, setAct] = useState<ApprovalAct>();
  return (
    <DetailOf read={read} kind={m.approvals_one()} backTo={paths.approvals}>
      {(approval) => (
        <Detail
          kind={m.approvals_one()}
          title={actionTitle(approval.action)}
          plainTitle={actionTitle(approval.action)}
          state={<Badge tone={STATE_TONES[approval.state]}>{STATE_TITLES[approval.state]()}</Badge>}
          backTo={paths.approvals}
        >
          <Value approval={approval} />
          <Warnings approval={approval} />
          <ApprovalFacts approval={approval} />
          <Section title={m.approvals_change()}>
            <Difference before={approval.before} after={approval.after} />
          </Section>
          <Votes votes={approval.votes} />
          <AuditOf type="approval" id={approval.id} />
          {approval.state === 'pending' && <Decision approval={approval} onAct={setAct} />}
          {act !== undefined && (
            <Suspense fallback={null}>
              <ApprovalDialog act={act} approval={approval} onClose={() => setAct(undefined)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}
