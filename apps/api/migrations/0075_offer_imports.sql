-- Up Migration

create table offer_imports (
  id          uuid primary key,
  staff_id    uuid not null references staff,
  state       text not null default 'checked' check (state in ('checked', 'waiting', 'running', 'done')),
  rows_total  int not null check (rows_total between 1 and 5000),
  created_at  timestamptz not null,
  finished_at timestamptz
);
create index offer_imports_by_time on offer_imports (created_at);
comment on table offer_imports is 'Files of offers that staff checked. Deleted a day after the upload if they were not applied, and after 30 days';

create table offer_import_rows (
  import_id  uuid not null references offer_imports on delete cascade,
  row_number int not null,
  offer_id   int,
  title      text not null,
  finding    text not null check (finding in ('new', 'change', 'same', 'fault')),
  faults     jsonb not null,
  fields     jsonb,
  before     jsonb not null,
  after      jsonb not null,
  version    int,
  is_skipped boolean not null default false,
  outcome    text check (outcome in ('applied', 'failed')),
  failure    text,
  primary key (import_id, row_number),
  check ((fields is not null) = (finding in ('new', 'change')))
);
comment on table offer_import_rows is 'Rows of a file of offers, as the check found them';
comment on column offer_import_rows.row_number is 'As a spreadsheet numbers it. The header is row 1';
comment on column offer_import_rows.fields is 'All fields of the offer as the row would leave it';
comment on column offer_import_rows.version is 'Of the offer when the row was checked. If somebody changes the offer meanwhile, the row fails';
comment on column offer_import_rows.outcome is 'Written in the transaction of the row, so that a run that was cut off does no row twice. Null until then';

-- Down Migration

drop table offer_import_rows;
drop table offer_imports;
