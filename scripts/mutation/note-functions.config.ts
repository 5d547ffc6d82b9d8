/** How the tests run once before any fault is put in, to note what each of them calls. */

import { mergeConfig } from "vitest/config";
import base from "../../test/vitest.config.ts";

export default mergeConfig(base, { test: { setupFiles: ["scripts/mutation/note-functions.ts"] } });
