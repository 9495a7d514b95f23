-- Up Migration

create table factor_challenges (
  challenge_hash bytea       primary key,
  purpose        text        not null,
  expires_at     timestamptz not null
);
create index factor_challenges_by_end on factor_challenges (expires_at);
comment on table factor_challenges is 'Random texts for passkeys to sign, each taken once. Expired ones are deleted every ten minutes';
comment on column factor_challenges.challenge_hash is 'SHA-256 of the challenge';
comment on column factor_challenges.purpose is 'What it may be used for, and by whom if that is known';

-- Down Migration

drop table factor_challenges;
