/** The real manager of local models, without an installed model. */

import { join } from "node:path";
import { silent } from "../../server/common/log.ts";
import { createLocalModels } from "../../server/models/local-models.ts";

export const noLocalModels = createLocalModels({
  models: join(import.meta.dirname, "no-such-folder"),
  log: silent,
});
