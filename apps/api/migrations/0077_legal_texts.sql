-- Up Migration

create table legal_texts (
  id            integer     primary key generated always as identity,
  kind          text        not null check (kind in ('terms', 'privacy', 'deletion')),
  label         text        not null check (label ~ '^[A-Za-z0-9_.-]{1,40}$'),
  body          text        not null check (length(body) between 1 and 60000),
  version       integer     not null default 1,
  edited_at     timestamptz not null,
  edited_by     uuid        not null references staff (id),
  published_at  timestamptz,
  published_by  uuid        references staff (id),
  in_force_from timestamptz,
  constraint legal_texts_label unique (kind, label),
  constraint legal_texts_published check (
    (published_at is null) = (published_by is null) and (published_at is null) = (in_force_from is null)
  )
);
comment on table legal_texts is
  'Versions of the legal texts, after those that the brand was built with. One that is published stays as it is: a correction is another one';
comment on column legal_texts.label is 'What customers accept, as users.terms_version says';
comment on column legal_texts.body is 'Paragraphs, and headings that begin with ##';
comment on column legal_texts.version is 'Raised by each edit of the draft';
comment on column legal_texts.published_by is 'Who asked for it; the approval names who voted';

create function legal_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: what was published stays', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger legal_texts_stay before update or delete on legal_texts
  for each row when (old.published_at is not null) execute function legal_refuse_change();
create trigger legal_texts_stay_whole before truncate on legal_texts
  for each statement execute function legal_refuse_change();

create table terms_acceptances (
  user_id     bigint      not null references users (id),
  label       text        not null,
  accepted_at timestamptz not null,
  primary key (user_id, label)
);
comment on table terms_acceptances is
  'The terms that a customer has accepted after those of the sign-up, and these once there are others. Erased with the account';

-- Down Migration

drop table terms_acceptances, legal_texts;
drop function legal_refuse_change();
