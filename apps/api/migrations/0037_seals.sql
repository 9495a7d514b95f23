-- Up Migration

create table seals (
  day              date        primary key,
  sealed_at        timestamptz not null,
  books_head      bytea       not null,
  audit_seq        bigint      not null,
  audit_head       bytea       not null,
  balances         jsonb       not null,
  card_day         date,
  is_card_agreed   boolean,
  mailed_at        timestamptz
);
comment on table seals is
  'Where ledger and audit ended each day. The mail of it, kept outside, proves later that nothing before it was rewritten. One row a day, never deleted';
comment on column seals.day is 'UTC';
comment on column seals.audit_seq is 'The number of the audit''s last entry';
comment on column seals.balances is 'The trial balance by asset, in raw units as text; campaigns in one sum';
comment on column seals.card_day is 'The newest reconciliation of card money, and whether it agreed; null before the first one';
comment on column seals.mailed_at is 'Null until the mail server took the mail, and where no address is configured';

-- Down Migration

drop table seals;
