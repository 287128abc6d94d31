-- Texts of products and categories in languages other than the default one. Written by the catalogue alone.
-- An empty text, and one that is missing from a JSON object, is not translated.

create table product_translations (
    product text not null references products (id) on delete cascade,
    language text not null,
    name text not null,
    full_description text not null,
    tags text not null,
    -- JSON objects whose keys are the colours and the names of attributes in the default language, and
    -- the pictures' addresses.
    colours text not null,
    attributes text not null,
    alts text not null,
    primary key (product, language)
);

create table category_translations (
    category text not null references categories (id) on delete cascade,
    language text not null,
    name text not null,
    primary key (category, language)
);

-- Names of colours in filters. Products may translate a colour differently; the last import decides.
create table colour_translations (
    language text not null,
    colour text not null,
    name text not null,
    primary key (language, colour)
);

-- The products' names of an order's lines at its moment. Written by orders alone.
create table order_line_translations (
    order_id text not null references orders (id),
    product text not null,
    language text not null,
    name text not null,
    primary key (order_id, product, language)
);
