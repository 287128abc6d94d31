-- A product's rating is the mean of its reviews, and 0 where there are none: a rating that came with an import
-- is nobody's review.

update products set rating = 0 where reviews = 0;
alter table products drop column given_rating;
