type Config* = object
  path*: string
type
  Level* {.pure.} = enum
    low, high
  Node*[T] = ref object of RootObj
    left: Node[T]
  Id = distinct int
  Callback* = proc (x: int): void
proc load*(c: Config): int =
  let x = 1
proc `==`*(a, b: Config): bool = true
