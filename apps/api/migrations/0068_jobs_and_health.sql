-- Up Migration

alter table sent_mails add column refusal text;
comment on table sent_mails is 'Mails to customers that the mail server took or refused, without their texts';
create index sent_mails_refused on sent_mails (id) where refusal is not null;
comment on column sent_mails.refusal is 'Of a refused mail: what the mail server said, without the address';

create table program_processes (
  id           uuid        primary key,
  program      text        not null,
  version      text        not null,
  started_at   timestamptz not null,
  seen_at      timestamptz not null,
  memory_bytes bigint      not null,
  loop_delay_ms integer    not null,
  outside      jsonb       not null
);
create index program_processes_by_time on program_processes (seen_at);
comment on table program_processes is 'Running programs, each with a row of its own that it writes every 15 s. Deleted a day after the last time';
comment on column program_processes.loop_delay_ms is 'The longest delay of the event loop since the time before';
comment on column program_processes.outside is 'When the card provider and the mail server last answered the process, and last failed to';

create table told_events (
  kind    text        primary key check (kind in ('backup', 'restore_test')),
  at      timestamptz not null,
  told_at timestamptz not null,
  note    text        not null
);
comment on table told_events is 'The last backup and the last test of one, as the command system:tell was told. One row of each kind';

-- Down Migration

drop table told_events;
drop table program_processes;
alter table sent_mails drop column refusal;
