/** Services of Docker Compose. */

import { byKeys, type Format, fileName, hasKey, isYaml } from "./format.ts";

export const dockerCompose: Format = {
  id: "docker-compose",
  matches: (path, text) =>
    isYaml(path) && /(?:^|[.-])compose\b/.test(fileName(path)) && hasKey(text, "services"),
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
