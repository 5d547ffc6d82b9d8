/** Problems of a folder, a file or the machine when a model is installed: each has an error with a remedy, and nothing changes. */

import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { planInstall } from "../../server/models/install.ts";
import { checkPlatform } from "../../server/models/install-runtime.ts";
import { listModels } from "../../server/models/manifest.ts";
import { failure } from "../support/failure.ts";
import {
  converted,
  emptyInstaller,
  HAS_LOCAL_MODEL,
  installedIn,
  LOCAL_MODEL,
  NAME,
  readyInstaller,
  temporaryFolder,
} from "../support/local-model.ts";
import { mountSmall, WHY_NOT_MOUNTED } from "../support/small-disk.ts";

const WEIGHTS = "onnx/model_quantized.onnx";

interface Case {
  readonly name: string;
  readonly change: (folder: string) => void;
  readonly what: RegExp;
  readonly remedy: RegExp;
}

function editJson(
  file: string,
  edit: (value: Record<string, unknown>) => Record<string, unknown>,
): void {
  const value = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(edit(value)));
}

const CASES: readonly Case[] = [
  {
    name: "a folder without a model",
    change: (folder) => unlinkSync(join(folder, "config.json")),
    what: /does not hold a model: config\.json is missing/,
    remedy: /a folder with config\.json, tokenizer\.json/,
  },
  {
    name: "a folder without weights",
    change: (folder) => rmSync(join(folder, "onnx"), { recursive: true }),
    what: /has no weights/,
    remedy: /onnx\/model_quantized\.onnx/,
  },
  {
    name: "a tokenizer that is cut",
    change: (folder) => truncateSync(join(folder, "tokenizer.json"), 10_000),
    what: /tokenizer\.json is damaged/,
    remedy: /copy or download the model again/,
  },
  {
    name: "the tokenizer of a model with more words",
    change: (folder) =>
      editJson(join(folder, "config.json"), (config) => ({ ...config, vocab_size: 20_000 })),
    what: /tokenizer\.json has 30522 words, and the model 20000/,
    remedy: /from the same model/,
  },
  {
    name: "a tokenizer of a form that the runtime does not know",
    change: (folder) =>
      editJson(join(folder, "tokenizer.json"), (tokenizer) => ({
        ...tokenizer,
        model: { type: "Unheard", vocab: { a: 0 } },
      })),
    what: /the tokenizer of the model tried cannot be loaded/,
    remedy: /install it again/,
  },
  {
    name: "weights that are cut",
    change: (folder) => truncateSync(join(folder, WEIGHTS), 10_000_000),
    what: /the weights of the model tried cannot be loaded .*Protobuf parsing failed/,
    remedy: /cut or damaged/,
  },
  {
    name: "empty weights",
    change: (folder) => truncateSync(join(folder, WEIGHTS), 0),
    what: /model_quantized\.onnx is empty/,
    remedy: /copy or download the model again/,
  },
  {
    name: "weights of a terabyte",
    change: (folder) => truncateSync(join(folder, WEIGHTS), 1e12),
    what: /has 1,000,000 MB, and at most 2,147 can be loaded/,
    remedy: /smaller model/,
  },
  {
    name: "a tokenizer of a terabyte",
    change: (folder) => truncateSync(join(folder, "tokenizer.json"), 1e12),
    what: /tokenizer\.json has 1,000,000 MB, and at most 268 can be loaded/,
    remedy: /copy or download the model again/,
  },
  {
    name: "a folder that is not there",
    change: (folder) => rmSync(folder, { recursive: true }),
    what: /the folder .* does not exist/,
    remedy: /a folder with config\.json, tokenizer\.json/,
  },
  {
    name: "a version of ONNX that the runtime does not know",
    change: (folder) => {
      const file = join(folder, WEIGHTS);
      const bytes = readFileSync(file);
      // The first field of the format is its version.
      bytes[1] = 99;
      writeFileSync(file, bytes);
    },
    what: /cannot be loaded \(Unsupported model IR version: 99/,
    remedy: /an older version of ONNX/,
  },
  {
    name: "operators of a version that the runtime does not know",
    change: (folder) => {
      const file = join(folder, WEIGHTS);
      const bytes = readFileSync(file);
      // The field of the standard operators, of version 17.
      const field = bytes.lastIndexOf("42040a001011", undefined, "hex");
      bytes[field + 5] = 99;
      writeFileSync(file, bytes);
    },
    what: /cannot be loaded \(ONNX Runtime only/,
    remedy: /an older version of ONNX/,
  },
  {
    name: "an operator that the runtime does not have",
    change: (folder) => {
      const file = join(folder, WEIGHTS);
      const bytes = readFileSync(file, "latin1");
      writeFileSync(file, bytes.replaceAll("\u0003Erf", "\u0003Erg"), "latin1");
    },
    what: /No Op registered for Erg/,
    remedy: /standard operators of an older version/,
  },
  {
    name: "a reranker that has several labels, or none",
    change: (folder) =>
      editJson(join(folder, "config.json"), (config) => ({
        ...config,
        architectures: ["BertForSequenceClassification"],
      })),
    what: /a reranker has one logit, and this model none/,
    remedy: /another model/,
  },
];

describe.skipIf(!HAS_LOCAL_MODEL)(`Installing a model ${LOCAL_MODEL}`, () => {
  it.each(CASES)("$name is refused with a remedy, and nothing stays", async (bad) => {
    const installer = await readyInstaller();
    const folder = converted("int8", bad.change);
    const error = await failure(
      Promise.resolve().then(() => installedIn(installer, "tried", folder)),
    );
    expect(error).toBeInstanceOf(Unavailable);
    const { what, remedy } = error as Unavailable;
    expect(what).toMatch(bad.what);
    expect(remedy).toMatch(bad.remedy);
    expect(listModels(installer.models).map(({ name }) => name)).toEqual([NAME]);
    expect(readdirSync(installer.models).toSorted()).toEqual([NAME, "identities.json", "runtime"]);
  });

  it("another model under the name of a known one is refused by its dimensions", async () => {
    const installer = emptyInstaller();
    const error = await failure(installedIn(installer, "nomic-embed-text-v1.5"));
    expect(error.message).toContain("384 dimensions, and nomic-embed-text-v1.5 has 768");
    expect(listModels(installer.models)).toEqual([]);
  });

  it("other weights under a name that was used are refused, also after the model is removed", async () => {
    const installer = emptyInstaller();
    await installedIn(installer, "tried");
    rmSync(join(installer.models, "tried"), { recursive: true });
    const error = await failure(installedIn(installer, "tried", converted("float32")));
    expect(error.message).toContain("the name tried was used for a model with other weights");
    await installedIn(installer, "tried");
  });

  it.skipIf(WHY_NOT_MOUNTED !== undefined)(
    `A full disk is reported before anything is copied (${WHY_NOT_MOUNTED ?? "mounted"})`,
    async () => {
      const disk = mountSmall(join(temporaryFolder(), "disk"), "8m");
      onTestFinished(() => disk.unmount());
      const installer = { ...emptyInstaller(), models: join(disk.path, "models") };
      const error = await failure(Promise.resolve().then(() => installedIn(installer)));
      expect(error).toBeInstanceOf(Unavailable);
      expect(error.message).toMatch(/needs \d+ MB, and the disk has \d+ MB left/);
      expect(existsSync(installer.models)).toBe(false);
    },
  );
});

it("a model can only be installed from a folder, or by a known name", () => {
  const installer = { models: temporaryFolder(), programs: temporaryFolder(), env: {} };
  expect(() => planInstall(installer, "unheard-of", undefined)).toThrow("is not a known model");
  expect(() => planInstall(installer, "../outside", temporaryFolder())).toThrow("cannot be a name");
});

it.each([
  ["darwin", "x64"],
  ["linux", "riscv64"],
])("%s on %s is refused with a kind of model that works there", (platform, arch) => {
  expect(() => checkPlatform(platform, arch)).toThrow(
    `no binaries for ${platform} ${arch}: use a model of an Ollama`,
  );
});
