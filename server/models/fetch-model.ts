/** The process that downloads a model from the hub into a folder, by the library's own client. `model install` starts it. */

import { messageOf } from "../common/errors.ts";
import { firstLine, loadLibrary } from "./library.ts";

const [repository = "", runtime = "", cache = "", kind = "", host = ""] = process.argv.slice(2);

try {
  const library = loadLibrary(runtime);
  library.env.cacheDir = cache;
  library.env.allowLocalModels = false;
  library.env.allowRemoteModels = true;
  if (host !== "") library.env.remoteHost = host.endsWith("/") ? host : `${host}/`;
  const network =
    kind === "reranker" ? library.AutoModelForSequenceClassification : library.AutoModel;
  await library.AutoTokenizer.from_pretrained(repository);
  await network.from_pretrained(repository, { dtype: "q8", device: "cpu" });
} catch (error) {
  const { cause } = error as { cause?: unknown };
  const reason = cause === undefined ? "" : ` (${firstLine(messageOf(cause))})`;
  process.stderr.write(`${firstLine(messageOf(error))}${reason}\n`);
  process.exitCode = 1;
}
