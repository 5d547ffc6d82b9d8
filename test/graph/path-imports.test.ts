/** Imports by path: in configuration, prose, components, and languages whose modules are paths. */

import { describe, expect, it } from "vitest";
import { checkImports, graphOf } from "../support/graph.ts";

/** Packages and images from outside the workspace. */
async function externalsIn(literal: string): Promise<(string | undefined)[]> {
  const graph = await graphOf(literal);
  return graph.project.files.flatMap((file) =>
    graph.resolutions(file).flatMap(({ external }) => external ?? []),
  );
}

describe("configuration", () => {
  it("A Terraform module resolves to the files of its folder", async () => {
    const literal = `//- main.tf
module "net" {
  source = "./modules/net"
}
module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
}
//- modules/net/main.tf
//- modules/net/outputs.tf
`;
    await checkImports(literal, [
      "main.tf -> modules/net/main.tf",
      "main.tf -> modules/net/outputs.tf",
    ]);
    expect(await externalsIn(literal)).toEqual(["terraform-aws-modules/vpc/aws"]);
  });
  it("A workflow resolves to actions and workflows of the repository", async () => {
    const literal = `//- .github/workflows/ci.yml
jobs:
  build:
    uses: ./.github/workflows/build.yml
  test:
    steps:
      - uses: actions/checkout@v4
      - uses: ./.github/actions/setup
//- .github/workflows/build.yml
//- .github/actions/setup/action.yml
`;
    await checkImports(literal, [
      ".github/workflows/ci.yml -> .github/workflows/build.yml",
      ".github/workflows/ci.yml -> .github/actions/setup/action.yml",
    ]);
    expect(await externalsIn(literal)).toEqual(["actions/checkout@v4"]);
  });
  it("GitLab includes and Compose builds resolve", () =>
    checkImports(
      `//- .gitlab-ci.yml
include:
  - local: /ci/test.yml
//- ci/test.yml
//- compose.yaml
services:
  web:
    build: ./web
    env_file: web.env
//- web/Dockerfile
//- web.env
`,
      [
        ".gitlab-ci.yml -> ci/test.yml",
        "compose.yaml -> web/Dockerfile",
        "compose.yaml -> web.env",
      ],
    ));
  it("Helm charts, Argo CD folders and Kustomize bases resolve", () =>
    checkImports(
      `//- charts/shop/Chart.yaml
dependencies:
  - name: common
    repository: file://../common
//- charts/common/Chart.yaml
//- apps/shop.yaml
apiVersion: argoproj.io/v1alpha1
spec:
  source:
    path: charts/shop
//- overlays/prod/kustomization.yaml
resources:
  - ../../base
//- base/kustomization.yaml
`,
      [
        "apps/shop.yaml -> charts/shop/Chart.yaml",
        "charts/shop/Chart.yaml -> charts/common/Chart.yaml",
        "overlays/prod/kustomization.yaml -> base/kustomization.yaml",
      ],
    ));
  it("Files that a Dockerfile copies resolve, but its stages do not", async () => {
    const literal = `//- web/Dockerfile
FROM node:22 AS build
COPY package.json index.js ./
FROM build
COPY --from=build /app /app
COPY . .
//- web/package.json
//- web/index.js
`;
    await checkImports(literal, [
      "web/Dockerfile -> web/package.json",
      "web/Dockerfile -> web/index.js",
    ]);
    expect(await externalsIn(literal)).toEqual(["node:22"]);
  });
  it("Markdown links resolve, with fragments and from the root, but not to the web", () =>
    checkImports(
      `//- docs/guide.md
See [the API](../api.md#errors), [setup](/setup%20guide.md) and [elsewhere](https://example.com/api.md).
![a picture](pool.png "title")

[ref]: ./other.md
//- docs/other.md
//- docs/pool.png
//- api.md
//- setup guide.md
`,
      [
        "docs/guide.md -> api.md",
        "docs/guide.md -> setup guide.md",
        "docs/guide.md -> docs/pool.png",
        "docs/guide.md -> docs/other.md",
      ],
    ));
});

describe("styles, schemas and builds", () => {
  it("SCSS partials and indexes resolve, but not the modules of Sass", async () => {
    const literal = `//- app/main.scss
@use "sass:math";
// @use "unused";
@use "colors" as *;
@forward '../shared/buttons';
@import "grid", "reset.css", "https://example.com/x.css";
//- app/_colors.scss
//- app/_unused.scss
//- app/grid.scss
//- app/reset.css
//- shared/buttons/_index.scss
//- theme.less
@import (reference) "base";
//- base.less
`;
    await checkImports(literal, [
      "app/main.scss -> app/_colors.scss",
      "app/main.scss -> shared/buttons/_index.scss",
      "app/main.scss -> app/grid.scss",
      "app/main.scss -> app/reset.css",
      "theme.less -> base.less",
    ]);
    expect(await externalsIn(literal)).toEqual(["sass:math"]);
  });
  it("Protobuf imports resolve from any root", () =>
    checkImports(
      `//- proto/shop/order.proto
import public "shop/money.proto";
import "google/protobuf/timestamp.proto";
//- proto/shop/money.proto
`,
      ["proto/shop/order.proto -> proto/shop/money.proto"],
    ));
  it("Includes of build files resolve", () =>
    checkImports(
      `//- CMakeLists.txt
include(cmake/flags.cmake)
include(CTest)
add_subdirectory(src)
add_subdirectory(\${CMAKE_CURRENT_SOURCE_DIR}/test EXCLUDE_FROM_ALL)
//- cmake/flags.cmake
//- src/CMakeLists.txt
//- test/CMakeLists.txt
//- Makefile
-include local.mk rules/c.mk
include $(SRC)/x.mk
//- local.mk
//- rules/c.mk
//- default.nix
{ pkgs }: {
  # import ./unused.nix
  a = import ./shell.nix { inherit pkgs; };
  b = pkgs.callPackage ./tools { };
  imports = [ ./module.nix ./other.nix ];
}
//- shell.nix
//- unused.nix
//- module.nix
//- other.nix
//- tools/default.nix
`,
      [
        "CMakeLists.txt -> cmake/flags.cmake",
        "CMakeLists.txt -> src/CMakeLists.txt",
        "CMakeLists.txt -> test/CMakeLists.txt",
        "Makefile -> local.mk",
        "Makefile -> rules/c.mk",
        "default.nix -> shell.nix",
        "default.nix -> tools/default.nix",
        "default.nix -> module.nix",
        "default.nix -> other.nix",
      ],
    ));
});

describe("components", () => {
  it("Imports in scripts of Vue and Svelte resolve", () =>
    checkImports(
      `//- src/App.vue
<template><Cart/></template>
<script setup lang="ts">
import Cart from "./Cart.svelte";
import { total } from "./total";
const lazy = () => import("./lazy");
</script>
//- src/Cart.svelte
<script>
  import { total } from "./total.js";
  export let name;
</script>
//- src/lazy.ts
//- src/total.ts
export const total = 1;
`,
      [
        "src/App.vue -> src/Cart.svelte",
        "src/App.vue -> src/total.ts",
        "src/App.vue -> src/lazy.ts",
        "src/Cart.svelte -> src/total.ts",
      ],
    ));
});

describe("languages whose modules are paths", () => {
  it("Modules of Lua and Zig resolve", () =>
    checkImports(
      `//- lua/shop/init.lua
local pool = require("shop.pool")
local text = require "shop.text"
//- lua/shop/pool.lua
//- lua/shop/text/init.lua
//- src/main.zig
const std = @import("std");
const pool = @import("db/pool.zig");
//- src/db/pool.zig
`,
      [
        "lua/shop/init.lua -> lua/shop/pool.lua",
        "lua/shop/init.lua -> lua/shop/text/init.lua",
        "src/main.zig -> src/db/pool.zig",
      ],
    ));
  it("Libraries of Dart, and modules of Haskell and Elixir resolve", () =>
    checkImports(
      `//- lib/cart.dart
import 'dart:io';
import 'package:shop/pool.dart';
part 'src/cart_part.dart';
//- lib/pool.dart
//- lib/shop.ex
defmodule Shop do
  alias Shop.{Cart, Db.Pool}
  use GenServer
end
//- lib/shop/cart.ex
defmodule Shop.Cart do
end
//- lib/shop/pool.ex
defmodule Shop.Db.Pool do
end
//- lib/src/cart_part.dart
//- src/Shop/Cart.hs
module Shop.Cart where
import qualified Shop.Pool as P
import Data.List (sort)
//- src/Shop/Pool.hs
`,
      [
        "lib/cart.dart -> lib/pool.dart",
        "lib/cart.dart -> lib/src/cart_part.dart",
        "lib/shop.ex -> lib/shop/cart.ex",
        "lib/shop.ex -> lib/shop/pool.ex",
        "src/Shop/Cart.hs -> src/Shop/Pool.hs",
      ],
    ));
});
