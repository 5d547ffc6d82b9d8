/** The commands of a team's database, which run in the process of the command and not in the engine. */

import { join } from "node:path";
import { BadRequest } from "../../common/errors.ts";
import type { Log } from "../../common/log.ts";
import type { Team } from "../../contracts/published.ts";
import type { PartialSettings } from "../../contracts/settings.ts";
import { loadEmbeddingModel } from "../../embedding/embedding-model.ts";
import { createIgnoreRules } from "../../indexing/ignore/ignore-rules.ts";
import { createLocalModels } from "../../models/local-models.ts";
import { openPublisher } from "../../store/publisher.ts";
import { openTeam, TEAM_VARIABLE } from "../../store/team.ts";
import { setUpTeam, teamSetupScript } from "../../store/team-setup.ts";
import { settingsOf } from "../indexes/folder-settings.ts";
import { createPreparers } from "../threads/worker-pool.ts";
import { publish } from "./publish.ts";

interface TeamOptions {
  /** The settings of the user. */
  readonly user: PartialSettings;
  /** The folder of the user's data. */
  readonly home: string;
  readonly log: Log;
  /** Distinguishes builds of this program. */
  readonly build: string;
  /** See `PublishDeps`. */
  readonly mostInMemory?: number | undefined;
}

export function createTeam({ user, home, log, build, mostInMemory }: TeamOptions): Team {
  const url = () => {
    const set = user["team.url"] ?? "";
    if (set !== "") return set;
    throw new BadRequest(
      `no team database is configured; set ${TEAM_VARIABLE} to postgresql://USER:PASSWORD@HOST/DATABASE`,
    );
  };
  return {
    setupScript: teamSetupScript,
    init: (setup) => setUpTeam(url(), setup, log),
    list: async () => {
      const team = await openTeam({ url: url(), log });
      try {
        const published = await team.listPublished();
        const replica = await team.replica();
        return replica === undefined ? { published } : { published, replica };
      } finally {
        await team.close();
      }
    },
    remove: async (repository, branch, { signal, note }) => {
      const publisher = await openPublisher(url(), log);
      const waiting = () => note("a publish of this repository runs; waiting for it to end");
      try {
        return await publisher.remove(repository, branch, { signal, waiting });
      } finally {
        await publisher.close();
      }
    },
    publish: async ({ root, branch }, watcher) => {
      const { settings, problems } = await settingsOf(root, user);
      for (const problem of problems) watcher.note(`warning: ${problem}`);
      if (!settings["indexing.enabled"]) {
        throw new BadRequest(`${root} is not indexed: indexing.enabled is false`);
      }
      const publisher = await openPublisher(url(), log);
      const model = loadEmbeddingModel();
      const preparers = createPreparers(settings["indexing.workers"], { table: model }, log);
      const localModels = createLocalModels({ models: join(home, "models"), log });
      const folder = join(home, "history");
      const deps = { publisher, preparers, model, localModels, log, build, folder, mostInMemory };
      const rules = createIgnoreRules(root, settings);
      try {
        return await publish({ root, branch, settings, rules }, deps, watcher);
      } finally {
        localModels.rest();
        await Promise.all([preparers.close(), publisher.close()]);
      }
    },
  };
}
