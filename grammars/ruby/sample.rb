# frozen_string_literal: true

require "json"

module Inventory
  class Error < StandardError; end

  Item = Struct.new(:name, :count) do
    def empty?
      count.zero?
    end
  end

  # Keeps items on shelves.
  class Warehouse
    include Enumerable

    attr_reader :items

    class << self
      def open(path)
        new(JSON.parse(File.read(path)))
      end
    end

    def self.build(*names)
      new(names.map { |name| Item.new(name, 0) })
    end

    def initialize(items = [])
      @items = items
    end

    # Takes one out, or complains.
    def take(name)
      item = items.find { |candidate| candidate.name == name }
      raise Error, "no #{name}" if item.nil? || item.empty?

      item.count -= 1
      item
    end

    def each(&block)
      items.each(&block)
    end

    def [](index) = items[index]

    private def audit
      yield self if block_given?
    end
  end

  module Reports
    def self.total(warehouse)
      warehouse.sum(&:count)
    end
  end
end

class Inventory::Shelf
  def name=(value)
    @name = value.to_s
  end
end
