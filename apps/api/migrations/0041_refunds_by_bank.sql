-- Up Migration

alter table card_refunds
  add column method    text not null default 'card' check (method in ('card', 'bank')),
  add column reference text,
  add constraint card_refunds_reference check ((method = 'bank') = (reference is not null)),
  drop constraint card_refunds_accepted_is_known,
  add constraint card_refunds_accepted_is_known check (accepted_at is null or provider_refund_id is not null or method = 'bank');
comment on column card_refunds.method is 'bank: finance pays by a bank transfer, because the card could not take the refund';
comment on column card_refunds.reference is 'The reference of the bank transfer';

-- Down Migration

alter table card_refunds
  drop constraint card_refunds_accepted_is_known,
  drop constraint card_refunds_reference,
  drop column reference,
  drop column method,
  add constraint card_refunds_accepted_is_known check (accepted_at is null or provider_refund_id is not null);
