-- What the shop keeps.

create schema if not exists shop;

create type shop.order_state as enum ('open', 'paid', 'shipped');

-- Who buys.
create table if not exists shop.customers (
  id bigint generated always as identity primary key,
  email text not null unique,
  created_at timestamptz not null default now()
);

CREATE TABLE shop.orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES shop.customers (id),
  state shop.order_state NOT NULL DEFAULT 'open',
  total numeric(12, 2) NOT NULL CHECK (total >= 0)
);

create index orders_by_customer on shop.orders (customer_id);

-- Orders that somebody should look at.
create or replace view shop.late_orders as
select o.id, c.email
from shop.orders o
join shop.customers c on c.id = o.customer_id
where o.state = 'paid';

create materialized view shop.revenue as
select date_trunc('month', created_at) as month, sum(total) as total
from shop.orders
group by 1;

create or replace function shop.pay(order_id bigint)
returns shop.order_state
language plpgsql
as $$
declare
  result shop.order_state;
begin
  update shop.orders set state = 'paid' where id = order_id
  returning state into result;
  if not found then
    raise exception 'no order %', order_id;
  end if;
  return result;
end;
$$;

create trigger orders_changed
after update on shop.orders
for each row execute function shop.notify_order();

insert into shop.customers (email) values ('first@example.org');
