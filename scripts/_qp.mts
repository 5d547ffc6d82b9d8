import { readFileSync } from "node:fs";
import { Language, Parser, Query } from "web-tree-sitter";

await Parser.init();
const [l, ...ps] = process.argv.slice(2);
const L = await Language.load(readFileSync(`/work/main/dist/grammars/${l}.wasm`));
for (const p of ps) {
  const ts: string[] = [];
  for (let i = 0; i < 4; i++) {
    const t = performance.now();
    try {
      new Query(L, p).delete();
    } catch (e) {
      ts.push(String(e).slice(0, 60));
    }
    ts.push((performance.now() - t).toFixed(1));
  }
  console.log(ts.join(" "), p);
}
