/** The findings of `doctor`: the state of the engine, its services and indexes, and remedies for problems. */

import { count } from "../../common/count.ts";
import { messageOf, Unavailable } from "../../common/errors.ts";
import { formatTokens } from "../../common/format-tokens.ts";
import type { Finding } from "../../contracts/session.ts";
import { REFRESH_REMEDY } from "../../store/compatibility.ts";
import { embeddingProgress } from "../indexes/embedding-progress.ts";
import type { OpenIndex } from "../indexes/open-index.ts";
import type { Stores } from "../indexes/stores.ts";
import type { QueryModels } from "./query-models.ts";
import type { EngineFacts } from "./status.ts";

/** A provider that takes longer to embed one word is unusable. */
const PROBE_MS = 10_000;

export async function diagnose(
  facts: EngineFacts,
  stores: Stores,
  url: string,
  indexes: readonly OpenIndex[],
): Promise<Finding[]> {
  const findings: Finding[] = [
    {
      what: "engine",
      ok: true,
      detail: `version ${facts.version}, process ${process.pid}, Node ${process.versions.node}, log ${facts.log}`,
    },
    ...responsiveness(facts),
    await finding("database", async () => {
      const store = await stores.get(url);
      const { postgres, pgvector } = await store.version();
      return `${store.place}: Postgres ${postgres}, pgvector ${pgvector}`;
    }),
  ];
  if (indexes.length === 0) {
    findings.push({
      what: "workspace",
      ok: false,
      detail: "no folder is open",
      remedy: "open a project folder, or name one with --root",
    });
  }
  for (const index of indexes) {
    const { root, name, embedder, workspace, compatibility, unfinished, state, reason } = index;
    if (unfinished > 0) findings.push(unparsed(root, unfinished));
    findings.push(
      await finding(`embedding for ${root}`, async () => {
        const dimension = await embedder.probe(AbortSignal.timeout(PROBE_MS));
        return `${embedder.modelId}, ${dimension} dimensions`;
      }),
    );
    findings.push(attachment(root, facts.clientsOf(root)));
    const isHealthy = state !== "unavailable" && state !== "degraded";
    const isUsable = compatibility.kind === "usable";
    const because = isUsable ? reason : compatibility.reason;
    findings.push({
      what: `index ${name ?? root}`,
      ok: isHealthy && isUsable,
      detail: `${state}, ${workspace.status.indexed} of ${workspace.status.total} files${because === undefined ? "" : `: ${because}`}`,
      ...(isUsable ? {} : { remedy: REFRESH_REMEDY }),
    });
  }
  return findings;
}

/** The delays of the main thread, which a search may have to wait for; none before anything was indexed. */
function responsiveness({ eventLoop }: EngineFacts): Finding[] {
  const delay = eventLoop();
  if (delay === undefined) return [];
  const { p50Ms, p99Ms, maxMs } = delay;
  const detail = `delay while indexing: ${p50Ms} ms (median), ${p99Ms} ms (p99), ${maxMs} ms (maximum)`;
  return [{ what: "main thread", ok: true, detail }];
}

function unparsed(root: string, files: number): Finding {
  return {
    what: `parsing in ${root}`,
    ok: true,
    detail: `${count(files, "file was", "files were")} chunked without a grammar because parsing timed out`,
    remedy: "run cocosearch-lsp index when the machine is less busy",
  };
}

/** `clients` counts the session that runs the doctor. */
function attachment(root: string, clients: number): Finding {
  const what = `editors in ${root}`;
  const others = clients - 1;
  if (others > 0) {
    return { what, ok: true, detail: `${count(others, "has", "have")} it open` };
  }
  return {
    what,
    ok: true,
    detail: "no editor has it open",
    remedy:
      "open one of its files; if this stays the same, the editor has not started the server: " +
      ":checkhealth cocosearch in Neovim, :log-open in Helix, M-x cocosearch-status in Emacs say why",
  };
}

async function finding(what: string, ask: () => Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, detail: await ask() };
  } catch (error) {
    if (error instanceof Unavailable) {
      return { what, ok: false, detail: error.what, remedy: error.remedy };
    }
    return { what, ok: false, detail: messageOf(error) };
  }
}

/** Findings about the models that the user runs: whether they answer, and how many tokens they used and will use. */
export async function diagnoseModels(
  { reranker, rewriter }: QueryModels,
  indexes: readonly OpenIndex[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const index of indexes) findings.push(...(await embeddingTokens(index)));
  if (reranker !== undefined) {
    findings.push(
      await finding("reranker", async () => {
        await reranker.rerank("greeting", ["hello", "a list of numbers"]);
        return `${reranker.id}, the best ${reranker.candidates} chunks of a search`;
      }),
    );
  }
  if (rewriter !== undefined) {
    findings.push(
      await finding("query rewriting", async () => {
        await rewriter.rewrite("where are errors handled");
        return rewriter.id;
      }),
    );
  }
  return findings;
}

async function embeddingTokens(index: OpenIndex): Promise<Finding[]> {
  if (index.store === undefined) return [];
  const { pending } = await index.store.counts();
  const progress = embeddingProgress(index, pending);
  const detail = progress === undefined ? "" : formatTokens(progress);
  return detail === "" ? [] : [{ what: `embedding tokens for ${index.root}`, ok: true, detail }];
}
