/** A workspace of malformed and hostile files, with good files among them. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Random } from "./random.ts";

export interface HostileTree {
  readonly root: string;
  /** Beside it, with text that must not be found. */
  readonly outside: string;
  /** A word of its own in each, by path. */
  readonly good: ReadonlyMap<string, string>;
  /** How many bad ones of each kind were made. */
  readonly kinds: ReadonlyMap<string, number>;
}

/** Found only if a file outside the workspace is read. */
export const OUTSIDE = "marker_from_outside_of_the_root";

const EXTENSIONS = "py js ts json yaml md xml html toml rs sql txt css c".split(" ");
const DEPTH = 3_000;

/** Creates one bad file; returns its kind if this system cannot create it. */
type Make = (at: Place, random: Random) => void;

interface Place {
  readonly root: string;
  readonly outside: string;
  readonly folder: string;
  readonly i: number;
}

export function hostileTree(files: number, random: Random): HostileTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-hostile-")));
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-outside-")));
  writeFileSync(join(outside, "stolen.py"), `def ${OUTSIDE}(): pass\n`);
  mkdirSync(join(outside, "sub"));
  writeFileSync(join(outside, "sub/stolen.md"), `# ${OUTSIDE}\n`);
  const good = new Map<string, string>();
  const kinds = new Map<string, number>();
  const names = Object.keys(KINDS);
  for (let i = 0; i < files; i++) {
    const folder = `d${i % 40}/e${i % 7}`;
    mkdirSync(join(root, folder), { recursive: true });
    if (i % 10 === 0) {
      const word = `goodFunction${i}xq`;
      const path = `${folder}/good_${i}.py`;
      writeFileSync(join(root, path), `def ${word}(order):\n    return order.total\n`);
      good.set(path, word);
      continue;
    }
    const kind = names[i % names.length] as string;
    (KINDS[kind] as Make)({ root, outside, folder: join(root, folder), i }, random);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { root, outside, good, kinds };
}

const file = ({ folder, i }: Place, content: string | Buffer, extension: string, name = `f${i}`) =>
  writeFileSync(join(folder, `${name}.${extension}`), content);
const any = (random: Random) => random.pick(EXTENSIONS);
const bytes = (...values: number[]) => Buffer.from(values);

const KINDS: Readonly<Record<string, Make>> = {
  binary: (at, random) => file(at, random.bytes(2_000), any(random)),
  "binary after text": (at, random) =>
    file(
      at,
      Buffer.concat([Buffer.from("x = 1\n".repeat(2_000)), random.bytes(5_000)]),
      any(random),
    ),
  "invalid UTF-8": (at, random) =>
    file(
      at,
      Buffer.concat([
        Buffer.from("name = '"),
        bytes(0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf5),
        Buffer.from("'\n"),
      ]),
      any(random),
    ),
  "broken UTF-16": (at, random) =>
    file(
      at,
      Buffer.concat([
        bytes(0xff, 0xfe),
        Buffer.from("x = 1\n", "utf16le"),
        bytes(0x3d, 0xd8, 0x00),
      ]),
      any(random),
    ),
  "UTF-16 big-endian": (at, random) =>
    file(at, bytes(0xfe, 0xff, 0x00, 0x78, 0xd8, 0x3d, 0x00), any(random)),
  "NULs late": (at, random) => file(at, `${"x = 1\n".repeat(2_000)}\0\0\0 y = 2\n`, any(random)),
  "NULs only": (at, random) => file(at, Buffer.alloc(4_000), any(random)),
  "one line": (at, random) => file(at, "lorem ipsum(dolor) ".repeat(3_000), any(random)),
  "one word": (at, random) => file(at, "a".repeat(60_000), any(random)),
  brackets: (at, random) => file(at, "[({".repeat(DEPTH), any(random)),
  "deep JSON": (at) => file(at, `${'{"a":['.repeat(DEPTH)}1${"]}".repeat(DEPTH)}`, "json"),
  "deep XML": (at, random) =>
    file(at, `${"<a>".repeat(DEPTH)}x${"</a>".repeat(DEPTH)}`, random.pick(["xml", "html", "vue"])),
  "deep markdown": (at) =>
    file(
      at,
      `${"> ".repeat(DEPTH)}x\n${"  - x\n".repeat(200)}${"#".repeat(DEPTH)} y\n${"*_".repeat(DEPTH)}`,
      "md",
    ),
  "deep indentation": (at, random) =>
    file(
      at,
      Array.from({ length: 400 }, (_, n) => `${" ".repeat(n)}if x:`).join("\n"),
      random.pick(["py", "yaml", "pug", "txt"]),
    ),
  "deep operators": (at, random) =>
    file(at, `x = ${"!-(".repeat(DEPTH)}1`, random.pick(["js", "c", "rs", "py"])),
  "alias bomb": (at) =>
    file(
      at,
      Array.from({ length: 30 }, (_, n) => `k${n}: &a${n} [*a${n - 1},*a${n - 1},*a${n - 1}]`).join(
        "\n",
      ),
      "yaml",
    ),
  "entity bomb": (at) =>
    file(
      at,
      `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><x>&b;&x;</x>`,
      "xml",
    ),
  backtracking: (at, random) =>
    file(at, `${"a".repeat(5_000)}!${"(a+)+".repeat(50)}${" ".repeat(20_000)}x`, any(random)),
  enormous: (at, random) => {
    file(at, "x = 1\n", any(random));
    const path = join(at.folder, `huge${at.i}.py`);
    writeFileSync(path, "");
    truncateSync(path, random.pick([1_000_001, 50_000_000, 5_000_000_000]));
  },
  empty: (at, random) =>
    file(at, random.pick(["", " ", "\n", "\ufeff", "\r", "\u2028"]), any(random)),
  "odd line ends": (at, random) =>
    file(at, "a = 1\rb = 2\r\nc = 3\u2028d\u0085e\fg\v\n\r", any(random)),
  "odd characters": (at, random) =>
    file(
      at,
      `"\u202e\ud83d ${"\u0301".repeat(3_000)} \u{1f468}\u200d\u{1f469}\ufeff"\n`,
      any(random),
    ),
  "link loop": ({ folder, i }) => {
    symlinkSync(`loop${i}b`, join(folder, `loop${i}a`));
    symlinkSync(`loop${i}a`, join(folder, `loop${i}b`));
    symlinkSync(".", join(folder, `self${i}`));
  },
  "link up": ({ root, folder, i }) =>
    symlinkSync(i % 2 === 0 ? root : dirname(folder), join(folder, `up${i}`)),
  "link out": ({ outside, folder, i }, random) =>
    symlinkSync(
      random.pick([
        outside,
        join(outside, "stolen.py"),
        join(outside, "sub"),
        "/",
        "/etc",
        "/proc/self",
      ]),
      join(folder, `out${i}.py`),
    ),
  "link out by steps": ({ outside, folder, i }) => {
    symlinkSync(outside, join(folder, `step${i}`));
    symlinkSync(`step${i}/stolen.py`, join(folder, `via${i}.py`));
  },
  "link to a device": ({ folder, i }, random) =>
    symlinkSync(
      random.pick(["/dev/zero", "/dev/random", "/dev/stdin", "/dev/tty"]),
      join(folder, `dev${i}.py`),
    ),
  "hard link": (at) => {
    file(at, `x = ${at.i}\n`, "py", `one${at.i}`);
    linkSync(join(at.folder, `one${at.i}.py`), join(at.folder, `two${at.i}.py`));
  },
  pipe: ({ folder, i }) => void execFileSync("mkfifo", [join(folder, `pipe${i}.py`)]),
  socket: ({ folder, i }) => leaveSocket(join(folder, `s${i}.py`)),
  unreadable: (at) => {
    file(at, "x = 1\n", "py", `closed${at.i}`);
    chmodSync(join(at.folder, `closed${at.i}.py`), 0o000);
  },
  "unreadable folder": ({ folder, i }) => {
    mkdirSync(join(folder, `closed${i}`));
    writeFileSync(join(folder, `closed${i}/x.py`), "x = 1\n");
    chmodSync(join(folder, `closed${i}`), 0o000);
  },
  "odd name": (at, random) =>
    file(
      at,
      `odd = ${at.i}\n`,
      "py",
      `${random.pick(["new\nline", 'a "quote"', "it's", "100%", "%2e%2e%2f", "..", "-rf", "back\\slash", "$(touch x)", "'; drop table x; --", " lead", "tab\t", "\u001b[31m", "*?[", "ünï", "u\u0308", "\u202egnp", "😀", "COM1", "a:b", "#", "~"])}${at.i}`,
    ),
  "name that is not UTF-8": ({ folder, i }) =>
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/bad${i}-`), bytes(0xff, 0xfe), Buffer.from(".py")]),
      "x = 1\n",
    ),
  "long name": (at) => file(at, "x = 1\n", "py", `${"n".repeat(240)}${at.i % 1000}`),
  "deep folder": ({ folder, i }) => {
    const deep = join(folder, `deep${i}`, ...Array.from({ length: 300 }, () => "nested"));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "x.py"), "x = 1\n");
  },
  "case twins": (at) => {
    file(at, "x = 1\n", "py", `twin${at.i}`);
    file(at, "x = 2\n", "py", `TWIN${at.i}`);
    file(at, "x = 3\n", "PY", `twin${at.i}`);
  },
  "folder like a file": ({ folder, i }, random) => {
    const name = random.pick([`x${i}.py`, `.gitignore`, `package.json`, `.git`, `cocosearch.yaml`]);
    mkdirSync(join(folder, name, "x"), { recursive: true });
  },
  "broken ignore file": ({ folder, i }, random) => {
    mkdirSync(join(folder, `ig${i}`));
    const lines = [
      "[",
      "**/**/**/[a-",
      "\\",
      "!",
      "x".repeat(5_000),
      "{a,b}{c",
      "(",
      "*".repeat(300),
    ].join("\n");
    writeFileSync(
      join(folder, `ig${i}`, ".gitignore"),
      Buffer.concat([Buffer.from(lines), random.bytes(50)]),
    );
    writeFileSync(join(folder, `ig${i}`, "x.py"), "x = 1\n");
  },
};

/** A socket that is bound and closed leaves its name behind when the process is gone; a link to it keeps it here. */
function leaveSocket(path: string): void {
  // The kernel's limit for such a name is about a hundred bytes.
  if (Buffer.byteLength(path) > 100) return;
  const server = createServer().listen(path, () => {
    linkSync(path, `${path}.py`);
    server.close();
  });
}
