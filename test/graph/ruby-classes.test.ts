/** Ruby classes: reopened classes, class and instance methods, and bare names as calls. */

import { expect, it } from "vitest";
import { checkCalls, graphOf } from "../support/graph.ts";

it("A reopened class has the members of all files, except other tests", () =>
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

it("`new` creates an instance of its receiver, even with an inherited constructor", () =>
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

it("A bare name without an assignment is a call", () =>
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

it("Methods of enclosing modules are not visible in a class, except in `ClassMethods`", () =>
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

it("Methods that other files add to a class resolve, except in tests", () =>
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

it("Class methods and instance methods are distinct", async () => {
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

it("A class of an implicit module resolves, as autoloading in Rails defines it", () =>
  checkCalls(
    `//- app/controllers/admin/base_controller.rb
class Admin::BaseController
  def allowed; end
end
//- app/controllers/admin/pages_controller.rb
class Admin::PagesController < Admin::BaseController
  def show
    allowed
  end
end
`,
    [
      "app/controllers/admin/pages_controller.rb:3 allowed -> app/controllers/admin/base_controller.rb Admin.BaseController.allowed (inherited)",
    ],
  ));
