/** Calls of Elixir: modules by their names, aliases and imports, functions of the own module. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("follows modules, aliases, imports, pipes and captures", () =>
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
