-- The shop's pictures. Written by media alone. Their pixels are in the picture store; what is made from
-- them is not listed anywhere, because it can be made again.

create table pictures (
    -- The hash of the master's bytes, so that an address never means another picture.
    id text primary key,
    width bigint not null,
    height bigint not null,
    -- What it came as: JPEG, PNG, WebP or AVIF.
    kind text not null,
    bytes bigint not null,
    colour text not null,
    placeholder text not null,
    created_at bigint not null
);

-- Files as they came, by the hash of their bytes: one that comes again is known without decoding it.
create table picture_sources (
    hash text primary key,
    picture text not null references pictures (id)
);
