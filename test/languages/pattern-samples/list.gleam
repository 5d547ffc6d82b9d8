import gleam/option
/// sum of fold_left
pub fn fold_left(over list: List(a), from start: b, with fun: fn(b, a) -> b) -> b {
  case list {
    [] -> start
    [first, ..rest] -> fold_left(rest, fun(start, first), fun)
  }
}

pub type Tree(a) {
  Leaf
  Node(left: Tree(a), value: a)
}
pub opaque type Set { Set(inner: Int) }
pub type Headers =
  List(#(String, String))
@external(erlang, "lists", "reverse")
fn reverse(list: List(a)) -> List(a)
pub const max_depth = 10
