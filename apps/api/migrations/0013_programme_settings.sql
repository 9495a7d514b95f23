-- Up Migration

create table programme_settings (
  key        text        primary key,
  value      jsonb       not null,
  changed_at timestamptz not null,
  changed_by text        not null
);
comment on table programme_settings is
  'Settings of the programme that differ from their default (packages/contract/src/programme.ts). Writers notify programme_changed';
comment on column programme_settings.changed_by is 'Who set it: a person, or the account of the command line';

-- Down Migration

drop table programme_settings;
