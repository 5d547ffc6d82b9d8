/** The built-in exclusion rules, in .gitignore syntax. Users can re-include paths. */

const FOLDERS = [
  // Version control and editors.
  ".git .hg .svn .jj .idea .vscode .vs",
  // Dependencies.
  "node_modules bower_components jspm_packages vendor/bundle Pods Carthage .yarn .pnpm-store",
  // Environments and caches.
  ".venv venv .tox .nox __pycache__ .mypy_cache .pytest_cache .ruff_cache .ipynb_checkpoints .eggs *.egg-info",
  ".cache .parcel-cache .turbo .nx .gradle .m2 .cargo .bundle .terraform .serverless .dart_tool .stack-work",
  "dist-newstyle .elixir_ls _build/dev _build/test deps/.mix .zig-cache zig-cache zig-out .ccls-cache .clangd",
  // Build output.
  "dist out target/debug target/release target/classes .next .nuxt .svelte-kit .output .angular coverage .nyc_output htmlcov",
  "DerivedData cmake-build-* bazel-* buck-out",
];

/** Code that a generator wrote from sources of the project. */
export const GENERATED_CODE: readonly string[] =
  "*.pb.go *_pb2.py *_pb2_grpc.py *.g.dart *.freezed.dart *.designer.cs *.generated.*".split(" ");

const FILES = [
  // Lock files.
  "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock poetry.lock",
  "uv.lock pdm.lock Pipfile.lock Gemfile.lock composer.lock go.sum mix.lock pubspec.lock Podfile.lock flake.lock",
  "gradle.lockfile packages.lock.json conan.lock .terraform.lock.hcl",
  // Minified and recorded.
  "*.min.js *.min.css *.min.mjs *.bundle.js *.chunk.js *.map *.snap *.tsbuildinfo",
  // Media, fonts and documents.
  "*.png *.jpg *.jpeg *.gif *.bmp *.ico *.icns *.webp *.avif *.tif *.tiff *.psd *.ai *.eps *.svg *.mp3 *.mp4 *.m4a *.wav",
  "*.ogg *.flac *.avi *.mov *.mkv *.webm *.ttf *.otf *.woff *.woff2 *.eot *.pdf *.doc *.docx *.xls *.xlsx *.ppt *.pptx *.odt",
  // Archives, programs and data.
  "*.zip *.tar *.gz *.tgz *.bz2 *.xz *.zst *.7z *.rar *.jar *.war *.ear *.class *.pyc *.pyo *.o *.a *.so *.so.* *.dylib",
  "*.dll *.exe *.lib *.obj *.pdb *.wasm *.bin *.dat *.db *.sqlite *.sqlite3 *.parquet *.npy *.npz *.pkl *.pickle *.onnx",
  "*.pt *.pth *.safetensors *.gguf *.h5 *.iso *.img *.dmg *.deb *.rpm *.apk *.whl *.gem *.nupkg *.beam *.hi *.dyn_hi",
  // Logs, and temporary files of editors and systems.
  "*.log *.swp *.swo *~ \\#*# .#* *.orig *.rej *.bak .DS_Store Thumbs.db",
];

const words = (lines: readonly string[]) => lines.flatMap((line) => line.split(" "));

const EXCLUDED_FOLDERS: readonly string[] = words(FOLDERS);

// A pattern with a slash is anchored at the root; `**/` makes it match at any depth.
export const FOLDER_LINES: readonly string[] = EXCLUDED_FOLDERS.map((name) =>
  name.includes("/") ? `**/${name}/` : `${name}/`,
);
/** For files only: a folder may be called `app.map`. */
export const FILE_LINES: readonly string[] = [...words(FILES), ...GENERATED_CODE];

/** Version control folders are never entered, even if a rule includes them. */
export const NEVER_ENTERED: readonly string[] = [".git", ".hg", ".svn", ".jj"];
