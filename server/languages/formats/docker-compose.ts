/** Services of Docker Compose files. */

import { baseNameOf } from "../../common/relative-path.ts";
import { byKeys, type Format, hasKey, isYaml } from "./format.ts";

export const dockerCompose: Format = {
  id: "docker-compose",
  matches: (path, text) =>
    isYaml(path) && /(?:^|[.-])compose\b/.test(baseNameOf(path)) && hasKey(text, "services"),
  sections: byKeys([
    ["services", "services"],
    ["services.*", "service", "one-line"],
    ["volumes", "volumes"],
    ["volumes.*", "volume", "one-line"],
    ["networks", "networks"],
    ["networks.*", "network", "one-line"],
    ["configs", "configs"],
    ["secrets", "secrets"],
    ["*", "key"],
  ]),
};
