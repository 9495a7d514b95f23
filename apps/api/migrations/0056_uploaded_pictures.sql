-- Up Migration

alter table pictures rename created_at to uploaded_at;
alter table pictures drop constraint pictures_formats_check;
alter table pictures
  add constraint pictures_formats_check check (formats <@ array['webp', 'avif']),
  add alternative_text text not null default '' check (length(alternative_text) <= 300),
  add crop_x smallint not null default 50 check (crop_x between 0 and 100),
  add crop_y smallint not null default 50 check (crop_y between 0 and 100),
  add named_at timestamptz,
  add version integer not null default 1;
comment on column pictures.formats is 'Formats that every width is there in. None: its files are being written, or are about to be removed';
comment on column pictures.uploaded_at is 'When it was last handed in';
comment on column pictures.crop_x is 'With crop_y the point that stays in view where the picture is cut, in per cent of its width and height';
comment on column pictures.named_at is 'When an offer or a category first named it. Such a picture stays, because purchases keep its address; any other is removed a day after it was uploaded';

create function note_picture_named() returns trigger language plpgsql as $$
begin
  update pictures set named_at = now() where id = new.picture_id and named_at is null;
  return null;
end $$;
create trigger offers_name_pictures after insert or update of picture_id on offers
  for each row when (new.picture_id is not null) execute function note_picture_named();
create trigger categories_name_pictures after insert or update of picture_id on categories
  for each row when (new.picture_id is not null) execute function note_picture_named();
update pictures set named_at = uploaded_at
 where id in (select picture_id from offers union select picture_id from categories);

create index pictures_by_upload on pictures (uploaded_at desc, id desc);

-- Down Migration

drop index pictures_by_upload;
drop trigger categories_name_pictures on categories;
drop trigger offers_name_pictures on offers;
drop function note_picture_named();
delete from pictures where formats = '{}';
alter table pictures
  drop version, drop named_at, drop crop_y, drop crop_x, drop alternative_text,
  drop constraint pictures_formats_check, add constraint pictures_formats_check check (formats <> '{}' and formats <@ array['webp', 'avif']);
comment on column pictures.formats is 'Formats that every width is there in';
comment on column pictures.uploaded_at is null;
alter table pictures rename uploaded_at to created_at;
