-- The name of a writer without one is empty, and said in the reader's language.
update reviews set name = '' where name = 'A customer';
