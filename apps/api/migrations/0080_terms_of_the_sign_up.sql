-- Up Migration

-- The terms that a customer accepted at the sign-up stood in `users` alone until they accepted others.
insert into terms_acceptances (user_id, label, accepted_at)
  select id, terms_version, terms_accepted_at from users
  where terms_version is not null and terms_accepted_at is not null and closed_at is null
  on conflict do nothing;
comment on table terms_acceptances is 'All terms that a customer has accepted, from the sign-up on. Erased with the account';

-- Down Migration

comment on table terms_acceptances is
  'The terms that a customer has accepted after those of the sign-up, and these once there are others. Erased with the account';
