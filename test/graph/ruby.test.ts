/** Ruby: mixins, class methods, and constants. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("A method of a reopened module wins over the method of a test", () =>
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

it("Methods of included, extended and prepended modules resolve, also through modules", () =>
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

it("Class methods of a concern resolve", () =>
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

it("`new` resolves to the constructor of the class or a base class, not of a module", () =>
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

it("Resolution ends if modules include each other", () =>
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

it("`super` calls the method of the same name in the base", () =>
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

it("The body of an endless method is a call", () =>
  checkCalls(
    `//- order.rb
class Order
  def price = compute
  def self.all = load
  def compute = 1
  def self.load = []
end
`,
    [
      "order.rb:2 compute -> order.rb Order.compute (own method)",
      "order.rb:3 load -> order.rb Order.load (own method)",
    ],
  ));

it("Constants of a module that a loaded file includes at its top level are visible", () =>
  checkCalls(
    `//- lib/shop/utils.rb
module Shop
  module Utils
    extend self
    def slug(text); end
  end
end
//- test/helper.rb
include Shop
//- test/test_utils.rb
require "helper"
class TestUtils
  def run
    Utils.slug("a")
    String.slug("a")
  end
end
//- test/alone.rb
class Alone
  def run
    Utils.slug("a")
  end
end
`,
    ["test/test_utils.rb:4 slug -> lib/shop/utils.rb Shop.Utils.slug (member of a type)"],
  ));

it("Results of methods have types, and modules that several files include add members", () =>
  checkCalls(
    `//- lib/filters/dates.rb
module Shop
  module Filters
    module Dates
      def day(date); end
    end
  end
end
//- lib/filters.rb
module Shop
  module Filters
    include Dates
    def upcase(text); end
  end
end
//- test/test_filters.rb
class Filter
  include Shop::Filters
  attr_reader :site
  def initialize
    @site = Site.new
  end
end
class Site
  def process; end
end
class TestFilters
  def make_filter(opts = {})
    Filter.new(opts).tap do |f|
      f.freeze
    end
  end
  setup do
    @filter = make_filter
    @other = make_filter({ :a => 1 })
  end
  def run
    @filter.upcase("a")
    @other.day(1)
    @filter.site.process
    local = make_filter
    local.day(2)
  end
end
`,
    [
      "test/test_filters.rb:5 new -> test/test_filters.rb Site (member of a type)",
      "test/test_filters.rb:13 new -> test/test_filters.rb Filter.initialize (member of a type)",
      "test/test_filters.rb:18 make_filter -> test/test_filters.rb TestFilters.make_filter (own method)",
      "test/test_filters.rb:19 make_filter -> test/test_filters.rb TestFilters.make_filter (own method)",
      "test/test_filters.rb:22 upcase -> lib/filters.rb Shop.Filters.upcase (typed receiver)",
      "test/test_filters.rb:23 day -> lib/filters/dates.rb Shop.Filters.Dates.day (typed receiver)",
      "test/test_filters.rb:24 process -> test/test_filters.rb Site.process (typed receiver)",
      "test/test_filters.rb:24 site -> test/test_filters.rb Filter.site (typed receiver)",
      "test/test_filters.rb:25 make_filter -> test/test_filters.rb TestFilters.make_filter (own method)",
      "test/test_filters.rb:26 day -> lib/filters/dates.rb Shop.Filters.Dates.day (typed receiver)",
    ],
  ));

it("A call resolves to the method whose class has the name of the receiver", () =>
  checkCalls(
    `//- lib/publisher.rb
class Publisher
  def hidden_in_future?(thing); end
end
//- lib/reader.rb
class Reader
  def publisher_is_hidden?(one); end
  def run(site)
    site.publisher.hidden_in_future?(1)
    site.thing.hidden_in_future?(1)
    File.publisher_is_hidden?(1)
  end
end
`,
    [
      "lib/reader.rb:4 hidden_in_future? -> lib/publisher.rb Publisher.hidden_in_future? (only method of that name)",
    ],
  ));

it("A top-level method that one file defines is visible in all scripts", () =>
  checkCalls(
    `//- rake/helpers.rb
def site_file(name); end
//- rake/site.rake
task :site do
  site_file("a")
end
//- lib/shop.rb
class Shop
  def run
    site_file("a")
  end
end
`,
    ["rake/site.rake:2 site_file -> rake/helpers.rb site_file (imported name)"],
  ));
