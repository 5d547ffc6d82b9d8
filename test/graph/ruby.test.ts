/** Where calls of Ruby lead: modules that classes include, and what is called on classes. */

import { expect, it } from "vitest";
import { checkCalls, graphOf } from "../support/graph.ts";

it("takes the real method of an open module before that of a test", () =>
  checkCalls(
    `//- lib/shop.rb
module Shop
  class << self
  def application
  end
  end
end
//- config/routes.rb
Shop.application
//- a/test/unit.rb
module Shop
  def self.application
  end
end
`,
    ["config/routes.rb:1 application -> lib/shop.rb Shop.application (member of a type)"],
  ));

it("follows what is included, extended and prepended, also by modules", () =>
  checkCalls(
    `//- lib/finders.rb
module Store
  module Finders
    def find_all
      build
    end
  end
end
//- lib/building.rb
module Store
  module Building
    include Finders
    def build; end
    def again
      find_all()
    end
  end
  module Naming
    def title; end
  end
end
//- lib/record.rb
class Record
  extend Store::Finders
  include Store::Building
  prepend Store::Naming
  def show
    title()
    self.build
  end
end
class Book < Record
end
Book.find_all
Book.new.again
`,
    [
      "lib/building.rb:6 find_all -> lib/finders.rb Store.Finders.find_all (inherited)",
      "lib/record.rb:6 title -> lib/building.rb Store.Naming.title (inherited)",
      "lib/record.rb:7 build -> lib/building.rb Store.Building.build (inherited)",
      "lib/record.rb:12 find_all -> lib/finders.rb Store.Finders.find_all (member of a type)",
      "lib/record.rb:13 again -> lib/building.rb Store.Building.again (typed receiver)",
      "lib/record.rb:13 new -> lib/record.rb Book (member of a type)",
    ],
  ));

it("finds the methods that a concern gives to the class itself", () =>
  checkCalls(
    `//- concerns.rb
module Transactions
  module ClassMethods
    def transaction; end
    def restart; end
  end
  def transaction; end
end
module Searching
  included do
    def shown; end
  end
  class_methods do
    def search
      terms()
    end
    def terms; end
  end
end
class Book
  include Transactions
  include Searching
  def save
    transaction()
    shown()
  end
end
Book.transaction
Book.restart
Book.search
`,
    [
      "concerns.rb:14 terms -> concerns.rb Searching.terms (own method)",
      "concerns.rb:23 transaction -> concerns.rb Transactions.transaction (inherited)",
      "concerns.rb:24 shown -> concerns.rb Searching.shown (inherited)",
      "concerns.rb:27 transaction -> concerns.rb Transactions.ClassMethods.transaction (member of a type)",
      "concerns.rb:28 restart -> concerns.rb Transactions.ClassMethods.restart (member of a type)",
      "concerns.rb:29 search -> concerns.rb Searching.search (member of a type)",
    ],
  ));

it("makes a class by its own constructor or that of a class above, and by no module's", () =>
  checkCalls(
    `//- made.rb
module Core
  def initialize; end
  def new; end
end
class Base
  include Core
end
class Plain < Base
end
class Own < Base
  def initialize(a); end
end
class Below < Own
end
Plain.new
Own.new(1)
Below.new(1)
`,
    [
      "made.rb:15 new -> made.rb Plain (member of a type)",
      "made.rb:16 new -> made.rb Own.initialize (member of a type)",
      "made.rb:17 new -> made.rb Own.initialize (member of a type)",
    ],
  ));

it("ends where modules include each other", () =>
  checkCalls(
    `//- circle.rb
module A
  include B
  def one; two(); end
end
module B
  include A
  def two; one(); three(); end
end
`,
    [
      "circle.rb:3 two -> circle.rb B.two (inherited)",
      "circle.rb:7 one -> circle.rb A.one (inherited)",
    ],
  ));

it("takes super for the method above that is called as the one around", () =>
  checkCalls(
    `//- lib/store.rb
class Store
  def initialize(place)
  end

  def open(name)
  end
end
class Shop < Store
  def initialize(place)
    super(place)
  end

  def open(name)
    [1].each { super(name) }
  end

  def close(name)
    super(name)
  end
end
`,
    [
      "lib/store.rb:10 super -> lib/store.rb Store.initialize (inherited)",
      "lib/store.rb:14 super -> lib/store.rb Store.open (inherited)",
    ],
  ));

it("takes a class that several files open for all of them, and not for what other tests make of it", () =>
  checkCalls(
    `//- lib/web/redirecting.rb
module Web
  module Redirecting
    def redirect_to(place); end
  end
end
//- lib/web/base.rb
module Web
  class Base
    include Redirecting
  end
end
//- test/helper.rb
module Web
  class Base
    def logged; end
  end
end
//- test/other_test.rb
class Web::Base
  def doubled; end
end
//- test/shop_test.rb
require "helper"
class ShopTest
  class ShopController < Web::Base
    def index
      logged()
      redirect_to "/"
      doubled()
    end
  end
end
`,
    [
      "test/shop_test.rb:5 logged -> test/helper.rb Web.Base.logged (inherited)",
      "test/shop_test.rb:6 redirect_to -> lib/web/redirecting.rb Web.Redirecting.redirect_to (inherited)",
    ],
  ));

it("makes an object of the class that is called, where a class above says how", () =>
  checkCalls(
    `//- made_below.rb
class Base
  def initialize(a); end
  def name; end
end
class Shop < Base
  def name; end
  def open; end
end
class Other
  def name; end
  def open; end
end
shop = Shop.new(1)
shop.open
Shop.new(1).name
kind = Shop
kind.new(1).open
`,
    [
      "made_below.rb:13 new -> made_below.rb Base.initialize (member of a type)",
      "made_below.rb:14 open -> made_below.rb Shop.open (typed receiver)",
      "made_below.rb:15 name -> made_below.rb Shop.name (typed receiver)",
      "made_below.rb:15 new -> made_below.rb Base.initialize (member of a type)",
      "made_below.rb:17 open -> made_below.rb Shop.open (typed receiver)",
      "made_below.rb:17 new -> made_below.rb Base.initialize (typed receiver)",
    ],
  ));

it("takes a name alone for a call where nothing gives it a value", () =>
  checkCalls(
    `//- shop.rb
class Shop
  attr_reader :name, :price
  def user; end
  def open?; end
  def close
    user
    return if open?
    user.leave
    "#{name} of #{price}"
    [user, price]
  end
  def change(name, price: 1)
    name
    price
  end
  def locals
    user = 1
    user
    name, price = 1, 2
    [name, price]
  end
  def memo
    @pool ||= Pool.new
    price ||= 3
    @pool.take
    price
  end
  def blocks
    each { |name| name }
    each do |(user, price), name|
      user
      [name, price]
    end
    ->(name) { name }
  rescue Error => user
    user
  end
  def inside
    price = 1
    each { price }
    each { name }
  end
end
class Pool
  def take; end
end
`,
    [
      "shop.rb:6 user -> shop.rb Shop.user (own method)",
      "shop.rb:7 open? -> shop.rb Shop.open? (own method)",
      "shop.rb:8 user -> shop.rb Shop.user (own method)",
      "shop.rb:9 name -> shop.rb Shop.name (own method)",
      "shop.rb:9 price -> shop.rb Shop.price (own method)",
      "shop.rb:10 user -> shop.rb Shop.user (own method)",
      "shop.rb:10 price -> shop.rb Shop.price (own method)",
      "shop.rb:23 new -> shop.rb Pool (member of a type)",
      "shop.rb:25 take -> shop.rb Pool.take (typed receiver)",
      "shop.rb:41 name -> shop.rb Shop.name (own method)",
    ],
  ));

it("sees no methods of the modules around a class, unless it is what they give to classes", () =>
  checkCalls(
    `//- outer.rb
module Outer
  def self.options; end
  def helper; end
  class Inner
    def run
      options
      helper()
    end
  end
  module ClassMethods
    def given
      helper
    end
  end
end
`,
    ["outer.rb:12 helper -> outer.rb Outer.helper (own method)"],
  ));

it("finds what other files add to a class, unless they are tests", () =>
  checkCalls(
    `//- lib/shop.rb
class Shop
  def open
    lock
    forge
  end
end
//- lib/shop/locking.rb
class Shop
  def lock; end
end
//- test/shop_test.rb
class Shop
  def forge; end
end
`,
    ["lib/shop.rb:3 lock -> lib/shop/locking.rb Shop.lock (own method)"],
  ));

it("tells methods of a class from those of its objects", async () => {
  const graph = await graphOf(`//- shop.rb
class Shop
  def self.run
    new.run
    name
    self.name
  end
  def run
    name
    self.name
  end
  class << self
    def name; end
  end
  def name; end
  def self.make(new)
    new.run
  end
end
Shop.run
Shop.new.run
shop = Shop.new
shop.run
`);
  const targets = graph.callsOf(0).map(({ line, name, to }) => {
    const target = (graph.project.definition(to)?.line ?? -1) + 1;
    return `${line + 1} ${name} -> ${target}`;
  });
  expect(targets).toEqual([
    "3 run -> 7",
    "3 new -> 1",
    "4 name -> 12",
    "5 name -> 12",
    "8 name -> 14",
    "9 name -> 14",
    "16 run -> 7",
    "19 run -> 2",
    "20 run -> 7",
    "20 new -> 1",
    "21 new -> 1",
    "22 run -> 7",
  ]);
});
