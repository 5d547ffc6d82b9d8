/** Elixir: qualified modules, aliases, imports, and `use`. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("Modules, aliases, imports, pipes and captures resolve", () =>
  checkCalls(
    `//- lib/repo.ex
defmodule Shop.Repo do
  alias Shop.Query.{Builder, Planner}
  alias Shop.Long, as: Short
  import Shop.Helpers

  @spec get(term, Builder.run(t)) :: run(term)
  def get(repo, x \\\\ 1) when is_integer(x) do
    Builder.run(x) |> helper() |> Short.go
    helper(&one/1)
    __MODULE__.other!(x)
    repo.run(x)
    Enum.map(x, &Planner.two/1)
    assist(1)
    hidden(1)
    Shop.Query.Builder.run(2)
    Inner.z()
    other!(x)
    run.(1)
  end

  def run(x), do: x
  defp helper(x), do: x
  defp one(x), do: x
  def other!(x), do: x

  defmodule Inner do
    def z, do: 1
  end
end
//- lib/size.ex
defimpl Shop.Size, for: Integer do
  def size(x), do: twice(x)
  defp twice(x), do: x
end
//- lib/builder.ex
defmodule Shop.Query.Builder do
  def run(x), do: Shop.Size.size(x)
end
defmodule Shop.Query.Planner do
  def two(x), do: Shop.Repo.Inner.z()
end
defmodule Shop.Long do
  def go(x), do: x
end
defmodule Shop.Helpers do
  def assist(x), do: x
  defp hidden(x), do: x
end
defprotocol Shop.Size do
  def size(x)
end
`,
    [
      "lib/builder.ex:2 size -> lib/builder.ex Shop.Size.size (member of a type)",
      "lib/builder.ex:5 z -> lib/repo.ex Shop.Repo.Inner.z (member of a type)",
      "lib/repo.ex:8 run -> lib/builder.ex Shop.Query.Builder.run (member of a type)",
      "lib/repo.ex:8 helper -> lib/repo.ex Shop.Repo.helper (own method)",
      "lib/repo.ex:8 go -> lib/builder.ex Shop.Long.go (member of a type)",
      "lib/repo.ex:9 helper -> lib/repo.ex Shop.Repo.helper (own method)",
      "lib/repo.ex:9 one -> lib/repo.ex Shop.Repo.one (own method)",
      "lib/repo.ex:10 other! -> lib/repo.ex Shop.Repo.other! (member of a type)",
      "lib/repo.ex:12 two -> lib/builder.ex Shop.Query.Planner.two (member of a type)",
      "lib/repo.ex:13 assist -> lib/builder.ex Shop.Helpers.assist (imported name)",
      "lib/repo.ex:15 run -> lib/builder.ex Shop.Query.Builder.run (member of a type)",
      "lib/repo.ex:16 z -> lib/repo.ex Shop.Repo.Inner.z (member of a type)",
      "lib/repo.ex:17 other! -> lib/repo.ex Shop.Repo.other! (own method)",
      "lib/size.ex:2 twice -> lib/size.ex Shop.Size.twice (own method)",
    ],
  ));

it("`use` adds the imports, aliases and quoted functions of its module only", () =>
  checkCalls(
    `//- lib/web.ex
defmodule Shop.Web do
  defmacro __using__(opts) do
    quote do
      import Shop.Conn
      alias Shop.Pool
      use Shop.Base
      unquote(routes(opts))
      def path(x), do: full(x)
      defp full(x), do: x
    end
  end

  defp routes(_opts) do
    quote do
      import Shop.Routes
      def helper(x), do: x
    end
  end

  defp other do
    quote do
      import Shop.Other
    end
  end
end
//- lib/base.ex
defmodule Shop.Base do
  defmacro __using__(_), do: (quote do
    def based, do: 1
  end)
end
defmodule Shop.Case do
  use ExUnit.CaseTemplate
  using do
    quote do
      import unquote(__MODULE__)
    end
  end
  def build(x), do: x
end
defmodule Shop.Conn do
  def send(x), do: x
end
defmodule Shop.Routes do
  def get(x), do: x
end
defmodule Shop.Other do
  def hidden(x), do: x
end
defmodule Shop.Pool do
  def open(x), do: x
end
//- lib/page.ex
defmodule Shop.Page do
  use Shop.Web, :page
  def show(x) do
    send(x) |> get |> Pool.open()
    helper(x)
    based()
    hidden(x)
    path(x)
  end
end
defmodule Shop.Plain do
  def run(x), do: send(x)
  def go(x), do: Shop.Page.path(x)
end
defmodule Shop.PageTest do
  use Shop.Case
  def run, do: build(1)
end
`,
    [
      "lib/page.ex:4 get -> lib/base.ex Shop.Routes.get (imported name)",
      "lib/page.ex:4 send -> lib/base.ex Shop.Conn.send (imported name)",
      "lib/page.ex:4 open -> lib/base.ex Shop.Pool.open (member of a type)",
      "lib/page.ex:5 helper -> lib/web.ex Shop.Web.routes.helper (inherited)",
      "lib/page.ex:6 based -> lib/base.ex Shop.Base.__using__.based (inherited)",
      "lib/page.ex:8 path -> lib/web.ex Shop.Web.__using__.path (inherited)",
      "lib/page.ex:13 path -> lib/web.ex Shop.Web.__using__.path (member of a type)",
      "lib/page.ex:17 build -> lib/base.ex Shop.Case.build (imported name)",
      "lib/web.ex:7 routes -> lib/web.ex Shop.Web.routes (own method)",
      "lib/web.ex:8 full -> lib/web.ex Shop.Web.__using__.full (same file)",
    ],
  ));
