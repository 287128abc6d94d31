-- For the numbers of active products, in all and of each category.
create index products_by_category_and_status on products (category, status);
