macro define_route(verb)
  # Verb
end

module Kemal::Web
  enum Verb
    Get
    Post
  end
  record Point, x : Int32, y : Int32
  alias Handler = Context -> String

  abstract class Base(T) < Other
    getter name : String
    abstract def call(context)
    def self.open?(path)
      true
    end
    private def value=(v)
      @value = v
    end
    def ==(other)
      false
    end
  end
  lib LibC
    fun strlen(s : Char*) : SizeT
  end
end
