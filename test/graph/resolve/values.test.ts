/** Values of reassigned names, of maps, and of type assertions in Go. */

import { it } from "vitest";
import { checkCalls } from "../../support/graph.ts";

it("An assignment reads the previous value of its own name", () =>
  checkCalls(
    `//- a.py
class Url:
  def join(self, path): return Path()
class Path:
  def open(self): ...
def f(url: Url):
  url = url.join("a")
  url.open()
  url = url.open()
`,
    [
      "a.py:2 Path -> a.py Path (same file)",
      "a.py:6 join -> a.py Url.join (typed receiver)",
      "a.py:7 open -> a.py Path.open (typed receiver)",
      "a.py:8 open -> a.py Path.open (typed receiver)",
    ],
  ));
it("Keys, values and pairs of a map have types", () =>
  checkCalls(
    `//- a.py
class Pattern:
  def matches(self): ...
class Transport:
  def matches(self): ...
class Client:
  mounts: dict[Pattern, Transport]
  def run(self):
      for one in self.mounts.keys(): one.matches()
      for one in self.mounts.values():
          one.matches()
      for key, value in self.mounts.items():
          key.matches()
          value.matches()
`,
    [
      "a.py:8 matches -> a.py Pattern.matches (typed receiver)",
      "a.py:10 matches -> a.py Transport.matches (typed receiver)",
      "a.py:12 matches -> a.py Pattern.matches (typed receiver)",
      "a.py:13 matches -> a.py Transport.matches (typed receiver)",
    ],
  ));

it("A type assertion in Go has the asserted type", () =>
  checkCalls(
    `//- go.mod
module m
//- a.go
package a
type Pool struct{}
func (p *Pool) Close() {}
type Other struct{}
func (o *Other) Close() {}
func use(in interface{}) {
	p := in.(*Pool)
	p.Close()
	if o, ok := in.(*Other); ok { o.Close() }
	in.(*Pool).Close()
}
`,
    [
      "a.go:8 Close -> a.go Pool.Close (typed receiver)",
      "a.go:9 Close -> a.go Other.Close (typed receiver)",
      "a.go:10 Close -> a.go Pool.Close (typed receiver)",
    ],
  ));
