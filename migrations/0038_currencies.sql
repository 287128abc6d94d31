-- Currencies: prices and books are in one base currency; an order is in the currency that its customer saw.

-- The base currency, once it is chosen: amounts in it are stored without its name. Until now it was the US dollar.
-- Written when the shop is first served or filled.
create table base_currency (
    id bigint primary key check (id = 1),
    code text not null
);
insert into base_currency (id, code) select 1, 'USD'
    where exists (select 1 from products) or exists (select 1 from orders) or exists (select 1 from credit_accounts);

-- Prices in other currencies that count instead of converted ones, in the smallest unit of the currency:
-- {"BDT": {"real": 120000, "offer": 99000}}. The offer's window is that of the variant.
alter table variants add column fixed_prices text not null default '{}';

-- For products with fixed prices, the lowest present price in each of those currencies, when it was last written: of the
-- variants with a fixed price, in the currency, and of the others, in the base currency. To sort and filter by.
create table product_prices (
    product text not null references products (id) on delete cascade,
    currency text not null,
    fixed bigint,
    converted bigint,
    primary key (product, currency)
);

-- The amounts of an order are in its own currency from now on; these are the same in the base currency.
alter table orders add column base_currency text not null default 'USD';
alter table orders add column base_sub_total bigint not null default 0;
alter table orders add column base_shipping bigint not null default 0;
alter table orders add column base_vat bigint not null default 0;
alter table orders add column base_total bigint not null default 0;
alter table orders add column base_credit bigint not null default 0;
update orders set base_sub_total = sub_total, base_shipping = shipping, base_vat = vat, base_total = total,
    base_credit = credit;
alter table order_lines add column total bigint not null default 0;
alter table order_lines add column base_total bigint not null default 0;
update order_lines set total = price * quantity, base_total = price * quantity;

-- Orders in taka were stored in cents, and shown in whole taka at the rate of the order (in ten-thousandths). Their totals
-- stay as they were shown; the other amounts are differences of rounded sums, so that they add up to it.
update order_lines set total = shown.with_it - shown.without_it
from (
    select l.order_id, l.place,
        (cast(sum(l.price * l.quantity) over (partition by l.order_id order by l.place) as bigint) * o.rate + 500000)
            / 1000000 * 100 as with_it,
        (cast(sum(l.price * l.quantity) over (partition by l.order_id order by l.place) - l.price * l.quantity as bigint)
            * o.rate + 500000) / 1000000 * 100 as without_it
    from order_lines l join orders o on o.id = l.order_id where o.currency = 'BDT'
) shown
where shown.order_id = order_lines.order_id and shown.place = order_lines.place;
update order_lines set price = (price * (select rate from orders where id = order_id) + 500000) / 1000000 * 100
where order_id in (select id from orders where currency = 'BDT');
update payments set
    refunded = (refunded * (select rate from orders where id = order_id) + 500000) / 1000000 * 100,
    amount = (select ((o.base_total * o.rate + 500000) / 1000000 - (o.base_credit * o.rate + 500000) / 1000000) * 100
        from orders o where o.id = order_id)
where order_id in (select id from orders where currency = 'BDT');
update order_returns set
    goods = (goods * (select rate from orders where id = order_id) + 500000) / 1000000 * 100,
    vat = (vat * (select rate from orders where id = order_id) + 500000) / 1000000 * 100,
    credit = (credit * (select rate from orders where id = order_id) + 500000) / 1000000 * 100,
    paid = (paid * (select rate from orders where id = order_id) + 500000) / 1000000 * 100
where order_id in (select id from orders where currency = 'BDT');
update orders set
    sub_total = (base_sub_total * rate + 500000) / 1000000 * 100,
    shipping = (((base_sub_total + base_shipping) * rate + 500000) / 1000000
        - (base_sub_total * rate + 500000) / 1000000) * 100,
    vat = ((base_total * rate + 500000) / 1000000
        - ((base_sub_total + base_shipping) * rate + 500000) / 1000000) * 100,
    total = (base_total * rate + 500000) / 1000000 * 100,
    credit = (base_credit * rate + 500000) / 1000000 * 100
where currency = 'BDT';
-- Units of the currency for one of the base currency, in hundred-millionths.
update orders set rate = case when currency = 'BDT' then rate * 10000 else 100000000 end;
-- Renamed, so that a server of the version before, which would store cents as taka, fails until it is replaced.
alter table orders rename column rate to exchange_rate;
