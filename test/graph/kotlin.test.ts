/** Where calls of Kotlin lead: functions that extend types from several packages. */

import { it } from "vitest";
import { checkCalls } from "../support/graph.ts";

it("takes of functions that extend a type the imported one, behind the type's own methods", () =>
  checkCalls(
    `//- src/core/Table.kt
package core
class Table {
  fun drop() {}
}
//- src/jdbc/Queries.kt
package jdbc
import core.Table
fun Table.selectAll(): Int = 1
fun Table.drop(): Int = 1
//- src/r2dbc/Queries.kt
package r2dbc
import core.Table
fun Table.selectAll(): Int = 2
//- src/app/App.kt
package app
import core.Table
import jdbc.drop
import r2dbc.selectAll
fun run(table: Table) {
  table.selectAll()
  table.drop()
}
`,
    [
      "src/app/App.kt:6 selectAll -> src/r2dbc/Queries.kt Table.selectAll (imported name)",
      "src/app/App.kt:7 drop -> src/core/Table.kt Table.drop (typed receiver)",
    ],
  ));
