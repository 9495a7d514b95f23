-- Up Migration

set lock_timeout = '2s';

create table second_step_recoveries (
  user_id         bigint      primary key references users (id) on delete cascade,
  link_hash       bytea       unique,
  link_expires_at timestamptz,
  stop_hash       bytea       unique,
  stop_code       bytea,
  begun_at        timestamptz,
  ends_at         timestamptz,
  reminded_at     timestamptz,
  constraint second_step_recoveries_begun check (
    (begun_at is null) = (ends_at is null) and (begun_at is null) = (stop_hash is null) and (stop_hash is null) = (stop_code is null)
  )
);
create index second_step_recoveries_by_end on second_step_recoveries (ends_at);
comment on table second_step_recoveries is 'Who waits for the removal of a second step that is lost: asked for by a mailed link, then begun. Deleted when it was stopped, has ended or its link ran out';
comment on column second_step_recoveries.link_hash is 'SHA-256 of the code in the mailed link that begins the wait';
comment on column second_step_recoveries.stop_hash is 'SHA-256 of the code in the mailed links that stop it';
comment on column second_step_recoveries.stop_code is 'That code, sealed, for the mails that follow';

create table send_limits (
  user_id       bigint      primary key references users (id) on delete cascade,
  limited_until timestamptz not null
);
comment on table send_limits is 'Accounts that send little for some days, because their second step was removed without a factor. Deleted when they are over';

create table limited_sends (
  user_id   bigint      not null references send_limits on delete cascade,
  key       uuid        not null,
  usd_cents bigint      not null,
  sent_at   timestamptz not null,
  primary key (user_id, key)
);
comment on table limited_sends is 'What such an account has sent. Deleted with the limit';

-- Down Migration

set lock_timeout = '2s';
drop table limited_sends;
drop table send_limits;
drop table second_step_recoveries;
