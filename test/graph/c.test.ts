/** C and C++: includes, linkage, and members of classes. */

import { describe, it } from "vitest";
import { checkCalls, checkImports } from "../support/graph.ts";

describe("includes", () => {
  it("An include resolves in the folder of the file, and by path suffix", () =>
    checkImports(
      `//- src/main.c
#include <stdio.h>
#include "util.h"
#include "net/socket.h"
//- src/util.h
//- include/net/socket.h
//- other/util.h
`,
      ["src/main.c -> src/util.h", "src/main.c -> include/net/socket.h"],
    ));
  it("An include resolves to all equally near headers", () =>
    checkImports('//- main.c\n#include "a/util.h"\n//- x/a/util.h\n//- y/a/util.h\n', [
      "main.c -> x/a/util.h",
      "main.c -> y/a/util.h",
    ]));
  it("Standard headers are external, unless the include uses quotes and the workspace has the file", () =>
    checkImports(
      `//- src/main.c
#include <math.h>
#include <sys/time.h>
#include <pool.h>
#include "math.h"
//- src/math.h
//- compat/sys/time.h
//- lib/pool.h
`,
      ["src/main.c -> lib/pool.h", "src/main.c -> src/math.h"],
    ));
});

it("System headers resolve in a workspace that provides them, and arguments of a macro are not calls", () =>
  checkCalls(
    `//- mm/pool.c
#include <linux/list.h>
#include <string.h>
void add(void) { list_add(1); copied(2); }
SYSCALL_DEFINE1(grow, int, size) { list_add(size); }
void ask(int (*grow)(int size)) { grow(1); }
//- mm/other.c
void shrink(void) { grow(1); }
//- include/linux/list.h
static __always_inline __sized(1) void *list_add(int size) { return 0; }
//- include/string.h
static inline void *copied(int size) { return 0; }
`,
    [
      "mm/pool.c:3 list_add -> include/linux/list.h list_add (imported name)",
      "mm/pool.c:4 list_add -> include/linux/list.h list_add (imported name)",
    ],
  ));

describe("names of C", () => {
  it("A call resolves to the only function of the name in the program, or to the one in the same folder", () =>
    checkCalls(
      `//- a/main.c
int main(void) { return pool_open(1) + usage(); }
//- a/usage.c
int usage(void) { return 1; }
//- b/usage.c
int usage(void) { return 2; }
//- lib/pool.c
int pool_open(int size) { return size; }
`,
      [
        "a/main.c:1 pool_open -> lib/pool.c pool_open (imported name)",
        "a/main.c:1 usage -> a/usage.c usage (imported name)",
      ],
    ));
  it("A call prefers the function whose header is included, and ignores static functions of other files", () =>
    checkCalls(
      `//- tools/main.c
#include "pool.h"
int main(void) { return pool_open(1) + hidden(2) + now(); }
//- include/pool.h
int pool_open(int size);
//- a/pool.c
int pool_open(int size) { return size; }
//- b/other.c
int pool_open(int size) { return size; }
static char *hidden(int size) { return 0; }
static long now(void) { return 1; }
//- c/time.c
long now(void) { return 2; }
`,
      [
        "tools/main.c:2 pool_open -> a/pool.c pool_open (imported name)",
        "tools/main.c:2 now -> c/time.c now (imported name)",
      ],
    ));
  it("Macros and inline functions of a header are visible only in files that include it, directly or indirectly", () =>
    checkCalls(
      `//- a.c
#include "all.h"
int a(void) { return TWICE(1) + once(2); }
//- all.h
#include "math_utils.h"
//- math_utils.h
#define TWICE(x) ((x) * 2)
static inline int once(int x) { return x; }
//- b.c
int b(void) { return TWICE(1) + once(2); }
`,
      [
        "a.c:2 TWICE -> math_utils.h TWICE (imported name)",
        "a.c:2 once -> math_utils.h once (imported name)",
      ],
    ));
  it("A call of a standard function is external, even if the program defines the name", () =>
    checkCalls(
      `//- a.c
#include "windows_compat.h"
int run(void) { free(0); my_free(0); return getenv(0); }
//- windows_compat.h
#define getenv windows_getenv
//- debug.c
void free(void *p) { }
void my_free(void *p) { free(p); }
`,
      [
        "a.c:2 my_free -> debug.c my_free (imported name)",
        "debug.c:2 free -> debug.c free (same file)",
      ],
    ));
  it("A call resolves to a function that shares its name with a type", () =>
    checkCalls(
      `//- a-types.h
enum obj_type { A };
//- obj.h
#include "a-types.h"
static inline int obj_type(int of) { return of; }
//- z.c
#include "obj.h"
int run(void) { return obj_type(1); }
`,
      ["z.c:2 obj_type -> obj.h obj_type (imported name)"],
    ));
});

describe("members of C", () => {
  it("Calls through function pointers in fields follow pointers, arrays, casts and anonymous types", () =>
    checkCalls(
      `//- conn.h
typedef struct { int (*read)(int n); } ops;
struct conn { ops *ops; struct { void *(*make)(void); } in; struct conn *next[2]; };
typedef struct conn *connp;
//- a.c
#include "conn.h"
int run(connp c, void *p) {
  struct conn **all = 0;
  return c->ops->read(1) + c->in.make() + c->next[0]->ops->read(2) + all[1]->ops->read(3)
    + ((struct conn *)p)->ops->read(4);
}
`,
      [
        "a.c:4 read -> conn.h ops.read (typed receiver)",
        "a.c:4 make -> conn.h conn.in.make (member of a type)",
        "a.c:4 read -> conn.h ops.read (typed receiver)",
        "a.c:4 read -> conn.h ops.read (typed receiver)",
        "a.c:5 read -> conn.h ops.read (typed receiver)",
      ],
    ));
});

const POOL = `//- pool.h
namespace shop {
class POOL_API Pool : public Base {
 public:
  Pool(int size);
  int open(int n);
  Pool* next() const;
  Pool& own();
  int size() const { return size_; }
 private:
  int size_;
  Base* const base_ GUARDED_BY(mutex_);
};
}
//- base.h
namespace shop {
class Base { public: int limit(); virtual int run() = 0; };
}
`;

describe("classes of C++", () => {
  it("A method resolves by the type of its receiver, even if it is defined outside the class", () =>
    checkCalls(
      `${POOL}//- pool.cpp
#include "pool.h"
#include "base.h"
namespace shop {
int Pool::open(int n) { base_->run(); limit(); return size() + this->open(n); }
Pool* Pool::next() const { return own().next(); }
}
//- main.cpp
#include "pool.h"
namespace shop { int run(Pool& pool) { Pool own(1); own.next()->open(1); return pool.open(1); } }
`,
      [
        "main.cpp:2 open -> pool.cpp shop.Pool.open (typed receiver)",
        "main.cpp:2 next -> pool.cpp shop.Pool.next (typed receiver)",
        "main.cpp:2 open -> pool.cpp shop.Pool.open (typed receiver)",
        "pool.cpp:4 run -> base.h shop.Base.run (typed receiver)",
        "pool.cpp:4 limit -> base.h shop.Base.limit (inherited)",
        "pool.cpp:4 size -> pool.h shop.Pool.size (own method)",
        "pool.cpp:4 open -> pool.cpp shop.Pool.open (own method)",
        "pool.cpp:5 next -> pool.cpp shop.Pool.next (typed receiver)",
        "pool.cpp:5 own -> pool.h shop.Pool.own (own method)",
      ],
    ));
  it("Forward declarations, casts, loops and smart pointers have the type of the class", () =>
    checkCalls(
      `${POOL}//- main.cpp
class Pool;
namespace shop {
void run(Pool* pool, std::vector<Pool*> all, void* raw) {
  pool->size();
  for (auto* one : all) one->size();
  static_cast<Pool*>(raw)->size();
  auto made = std::make_unique<Pool>(1);
  made->size();
  auto braced = Pool{2};
  new Pool(3);
  ::shop::Pool(4).size();
}
}
`,
      [
        "main.cpp:4 size -> pool.h shop.Pool.size (typed receiver)",
        "main.cpp:5 size -> pool.h shop.Pool.size (typed receiver)",
        "main.cpp:6 size -> pool.h shop.Pool.size (typed receiver)",
        "main.cpp:8 size -> pool.h shop.Pool.size (typed receiver)",
        "main.cpp:9 Pool -> pool.h shop.Pool (imported name)",
        "main.cpp:10 Pool -> pool.h shop.Pool (imported name)",
        "main.cpp:11 size -> pool.h shop.Pool.size (typed receiver)",
        "main.cpp:11 Pool -> pool.h shop.Pool (member of a type)",
      ],
    ));
  it("Methods of templates and nested namespace definitions resolve", () =>
    checkCalls(
      `//- list.h
namespace shop::util {
template <typename K, class V> class List {
  int first() const;
  int height() { return 1; }
  template <typename T> int add(T one);
};
template <typename K, class V>
int List<K, V>::first() const { return height(); }
int helper();
}
//- list.cpp
#include "list.h"
namespace shop { namespace util { int helper() { return 1; } } }
//- main.cpp
#include "list.h"
int run(shop::util::List<int, int>& list) { list.add(1); return list.first() + shop::util::helper(); }
`,
      [
        "list.h:8 height -> list.h shop.util.List.height (own method)",
        "main.cpp:2 add -> list.h shop.util.List.add (typed receiver)",
        "main.cpp:2 first -> list.h shop.util.List.first (typed receiver)",
        "main.cpp:2 helper -> list.cpp shop.util.helper (member of a type)",
      ],
    ));
  it("Included definitions win, anonymous namespaces are private to their file, and test bodies have locals", () =>
    checkCalls(
      `//- posix.h
namespace port { class Mutex { public: void lock() {} }; }
//- example.h
namespace port { class Mutex { public: void lock() {} }; }
//- a.cpp
#include "posix.h"
namespace { int end(int x) { return x; } }
void run(port::Mutex& mutex) { mutex.lock(); }
//- b.cpp
int run() { return end(1); }
TEST_CASE("a") {
  auto local = [](int x) { return x; };
  local(1);
}
int local2() { return local(2); }
`,
      ["a.cpp:3 lock -> posix.h port.Mutex.lock (typed receiver)"],
    ));
});
