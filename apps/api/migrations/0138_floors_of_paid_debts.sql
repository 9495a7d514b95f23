-- Up Migration

set lock_timeout = '2s';

-- A dispute that was won while its customer owed closed the debt and left the floor of the account below 0, so the account could pay what
-- it did not have. A floor belongs below 0 only for as long as something is owed.
select from ledger_head for update;
update ledger_accounts account set floor_units = least(balance_units, 0)
 where id > 0 and floor_units < 0 and floor_units < balance_units
   and not exists (select from card_debts where user_id = account.id >> 3 and closed_at is null);

-- Down Migration

select null;
