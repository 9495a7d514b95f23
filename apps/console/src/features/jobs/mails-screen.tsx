/** Mails to customers that the mail server accepted or refused. Waiting mails are jobs. */
import { m } from '@athos/messages/messages';
import type { MailTemplate } from '@athos/contract/console/customers';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { ListPage } from '../../kit/list-page.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { MAIL_WORDS } from '../../kit/mail-words.ts';
import type { Column } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';

type Mail = RowOf<'mails'>;

const FILTERS = (): readonly Filter[] => [
  {
    id: 'state',
    label: m.jobs_state(),
    kind: 'choice',
    options: [
      { value: 'sent', label: m.jobs_mail_sent() },
      { value: 'refused', label: m.jobs_mail_refused() },
    ],
  },
  {
    id: 'template',
    label: m.jobs_mail_kind(),
    kind: 'choice',
    options: (Object.keys(MAIL_WORDS) as MailTemplate[]).map((value) => ({
      value,
      label: MAIL_WORDS[value](),
    })),
  },
  { id: 'customerUuid', label: m.sales_customer(), kind: 'text' },
];

const columns = (): readonly Column<Mail>[] => [
  { id: 'kind', title: m.jobs_mail_kind(), cell: ({ template }) => MAIL_WORDS[template]() },
  {
    id: 'state',
    title: m.jobs_state(),
    cell: ({ state }) =>
      state === 'sent' ? (
        <Badge tone="success">{m.jobs_mail_sent()}</Badge>
      ) : (
        <Badge tone="danger">{m.jobs_mail_refused()}</Badge>
      ),
  },
  {
    id: 'refusal',
    title: m.jobs_failure(),
    cell: ({ refusal }) => <span className="wrap-anywhere">{refusal}</span>,
    from: 'large',
  },
  {
    id: 'customer',
    title: m.approvals_customer(),
    cell: ({ customerUuid }) => (
      <code className="font-code text-caption text-ink-quiet">{shortId(customerUuid)}</code>
    ),
    from: 'medium',
  },
  {
    id: 'at',
    title: m.console_time(),
    cell: ({ at }) => <Time at={at} />,
    align: 'end',
    from: 'medium',
  },
];

export function MailsScreen() {
  const filters = FILTERS();
  const view = useListView(filters);
  const list = useAdminList('mails', view.query);
  return (
    <ListPage
      title={m.jobs_mails_title()}
      list={list}
      view={view}
      filters={filters}
      columns={columns()}
      keyOf={(mail) => mail.id}
      pathOf={(mail) => paths.customer(mail.customerUuid)}
      path={paths.mails}
      emptyText={m.jobs_mails_empty()}
      lead={<p className="text-dense text-ink-quiet max-w-column">{m.jobs_mails_lead()}</p>}
    />
  );
}
