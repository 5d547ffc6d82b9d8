/** A small repository in seven languages, whose files import each other and use each other's definitions. */

export const CODE = `
//- web/store.ts
import { type Item, priceOf as price } from "./items.ts";
import * as log from "./log.ts";
import fallback from "./items.ts";

interface Shelf {
  find(name: string): Item | undefined;
}

export class Store implements Shelf {
  private readonly items: Item[] = [];
  static open(): Store {
    const store = new Store();
    store.add(fallback);
    return store;
  }
  add(item: Item): void {
    log.say(\`added \${price(item)}\`);
    this.items.push(item);
  }
  find(name: string): Item | undefined {
    const matches = (item: Item) => item.name === name;
    return this.items.find((item) => matches(item)) ?? helper();
  }
}

function helper(): Item | undefined {
  return undefined;
}
//- web/items.ts
interface Item {
  readonly name: string;
}
export function priceOf(item: Item): number {
  return item.name.length;
}
const fallback: Item = { name: "none" };
export default fallback;
//- web/log.ts
export const say = (text: string) => console.log(text);
//- web/index.ts
export { Store } from "./store.ts";
export * from "./items.ts";
import { Store } from "./store.ts";
const shop: Store = Store.open();
shop.add({ name: "tea" });
//- web/index.test.ts
import { priceOf, Store } from "./index.ts";
test("it", () => { Store.open().find("tea"); priceOf({ name: "a" }); });
//- py/shop/__init__.py
from .pool import Pool
//- py/shop/pool.py
import os.path
from typing import Optional
from . import errors
from .errors import Closed as Gone


class Base:
    def close(self):
        return None


class Pool(Base):
    size = 3

    def open(self, url: str) -> "Pool":
        if not url:
            raise errors.Closed(url)
        self.close()
        return self

    @staticmethod
    def of(url):
        def retry():
            return Pool().open(url)
        return retry()


def connect(url: str, pool: Optional[Pool] = None):
    pool = pool or Pool()
    return pool.open(url)
//- py/shop/errors.py
class Closed(Exception):
    pass
//- py/main.py
import shop.pool as pools
from shop import Pool
from shop.pool import connect


def main():
    connect("a")
    pools.connect("ä") or Pool.of("b")


main()
//- go/go.mod
module example.com/tea

go 1.22
//- go/main.go
package main

import (
	"fmt"

	kettle "example.com/tea/pot"
)

func main() {
	p := kettle.New(3)
	fmt.Println(p.Boil())
}
//- go/pot/pot.go
package pot

type Pot struct{ size int }

func New(size int) *Pot { return &Pot{size: size} }

func (p *Pot) Boil() int { return p.fill() + double(p.size) }

func (p *Pot) fill() int { return p.size }
//- go/pot/more.go
package pot

func double(n int) int { return n * 2 }
//- rs/Cargo.toml
[package]
name = "cup"
//- rs/src/lib.rs
pub mod tea;
use crate::tea::Leaf;
pub fn brew() -> Leaf { let leaf = Leaf::new(); leaf.steep(); tea::pour(&leaf); leaf }
//- rs/src/tea.rs
pub struct Leaf;
impl Leaf {
    pub fn new() -> Self { Leaf }
    pub fn steep(&self) { pour(self) }
}
pub fn pour(_leaf: &Leaf) {}
//- rb/app.rb
require_relative "lib/cup"
class App
  def run
    Cup.new.fill
  end
end
//- rb/lib/cup.rb
class Cup
  def fill
    wash
  end
  def wash; end
end
//- c/main.c
#include "tea.h"
int main(void) { return brew(3); }
//- c/tea.h
int brew(int);
//- c/tea.c
#include "tea.h"
static int heat(int n) { return n; }
int brew(int n) { return heat(n) + 1; }
//- java/app/Main.java
package app;
import app.tea.Pot;
class Main extends Pot {
  public static void main(String[] args) { new Pot().boil(); }
}
//- java/app/tea/Pot.java
package app.tea;
public class Pot {
  public int boil() { return fill(2); }
  private int fill(int n) { return n; }
}
//- notes.md
# Tea

How the pot is filled: see go/pot/pot.go.
//- .gitignore
*.log
out/
//- debug.log
nothing
`;
