-- Up Migration

-- Accounts for value held, disputed, given and owed, and for card money over its whole life (docs/ledger.md, "Numbers"). Floors
-- below 0 belong to costs and to money outside. They are small enough that all of an asset together cannot overflow a sum.
insert into ledger_accounts (id, asset, code, floor_units)
select asset_number - system_number * 8, asset, code, floor_units
from (values ('ATH', 0), ('ATH2', 1), ('ATH3', 2)) assets (asset, asset_number)
cross join (values
  ('holds', 9, 0), ('dispute_hold', 10, 0), ('adjustments', 12, 0), ('write_off', 13, -10000000000000000)
) systems (code, system_number, floor_units)
union all
select 0 - 11 * 8, 'ATH', 'goodwill', 0
union all
select 3 - system_number * 8, 'USD', code, -10000000000000000
from (values
  ('provider_fees', 14), ('disputed', 15), ('dispute_fees', 16), ('chargeback_loss', 17), ('refund_cost', 18), ('bank', 19),
  ('suspense', 20)
) systems (code, system_number)
on conflict (id) do nothing;

-- Down Migration

-- Accounts are never deleted, so these stay.
select;
