-- Up Migration

create index card_dispute_moves_by_dispute on card_dispute_moves (dispute_id);
create index card_transactions_besides_payments on card_transactions (created_at) where type not in ('charge', 'payment');

-- Down Migration

drop index card_transactions_besides_payments;
drop index card_dispute_moves_by_dispute;
