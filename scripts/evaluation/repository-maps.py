"""Writes aider's repository maps for the questions of a task file, as a baseline for npm run evaluate-context.

usage: python3 repository-maps.py TASKS.json REPOS OUT.jsonl [BUDGET ...]

Needs the package aider-chat. Tokens are counted by gpt-tokenizer, as evaluate-context does.
"""

import json
import os
import re
import subprocess
import sys

from aider.repomap import RepoMap

COUNT = """
import { countTokens } from "gpt-tokenizer";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) console.log(countTokens(JSON.parse(line)));
"""


class Tokens:
    """What RepoMap asks of a model."""

    def __init__(self):
        node = ["node", "--input-type=module", "-e", COUNT]
        self.process = subprocess.Popen(node, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def token_count(self, text):
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


class Files:
    """What RepoMap asks of its terminal."""

    def read_text(self, name):
        try:
            with open(name, encoding="utf8") as file:
                return file.read()
        except (OSError, UnicodeDecodeError):
            return None

    def tool_output(self, *_, **__):
        pass

    tool_warning = tool_error = tool_output


class MapInMemory(RepoMap):
    """Leaves no cache in the repository."""

    def load_tags_cache(self):
        self.TAGS_CACHE = {}

    def save_tags_cache(self):
        pass


def files_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in (".git", "node_modules"))
        yield from (os.path.join(folder, name) for name in sorted(names))


def mentioned_files(query, names, files, root):
    """As aider's coder: paths that are written out, and files whose name without extension is a word of the message."""
    relative = [os.path.relpath(each, root) for each in files]
    written = {each for each in relative if each in query or os.path.basename(each) in query}
    stems = {name.lower() for name in names if len(name) >= 5}
    return written | {
        each for each in relative if os.path.splitext(os.path.basename(each))[0].lower() in stems
    }


def main(tasks_file, repos, out, *budgets):
    with open(tasks_file, encoding="utf8") as file:
        tasks = json.load(file)
    with open(out, "w", encoding="utf8") as written:
        for repo in dict.fromkeys(task["repo"] for task in tasks):
            own = [task for task in tasks if task["repo"] == repo]
            root = os.path.join(repos, repo, own[0]["benchmark_root"] or "")
            files = list(files_below(root))
            model = Tokens()
            maps = MapInMemory(root=root, main_model=model, io=Files(), map_mul_no_files=1, refresh="always")
            for task in own:
                names = set(re.split(r"\W+", task["query"]))
                mentioned = mentioned_files(task["query"], names, files, root)
                for budget in budgets or ("2000",):
                    maps.max_map_tokens = int(budget)
                    text = maps.get_repo_map([], files, mentioned, names, True) or ""
                    line = {"id": task["id"], "budget": int(budget), "map": text}
                    written.write(json.dumps(line) + "\n")
            model.process.stdin.close()
            print(repo, len(own), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
