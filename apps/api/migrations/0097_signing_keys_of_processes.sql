-- Up Migration

alter table program_processes add column key_ids text[] not null default '{}';
comment on column program_processes.key_ids is 'Of API processes: the ids of the keys with which it verifies tokens and QR codes. No process signs with a key that another one does not have';

-- Down Migration

alter table program_processes drop column key_ids;
