"""Tells the license of a repository by the text of its license files, and whether its code may be learned from."""

import re
from dataclasses import dataclass

from gitdir import git

# A phrase that the text of each license has and no other of them. Order counts: the first that fits.
PERMISSIVE = [
    ("Apache-2.0", r"apache license,? version 2\.0"),
    ("Unlicense", r"this is free and unencumbered software released into the public domain"),
    ("BSD-3-Clause", r"redistribution and use in source and binary forms.*(neither the name|names? of .{0,80}may not)"),
    ("BSD-2-Clause", r"redistribution and use in source and binary forms"),
    ("ISC", r"permission to use, copy, modify, and(/or)? distribute this software for any purpose"),
    ("PostgreSQL", r"permission to use, copy, modify, and distribute this software and its documentation for any purpose, without fee"),
    ("Zlib", r"this software is provided ['\"‘]as-is['\"’], without any express or implied warranty"),
    ("BSL-1.0", r"boost software license - version 1\.0"),
    ("PSF-2.0", r"psf license agreement|python software foundation license"),
    ("MIT", r"permission is hereby granted, free of charge|the mit license|mit license"),
    ("Ruby", r"you may make and give away verbatim copies of the source form of the software"),
]  # fmt: skip

# Their presence anywhere in a license file refuses the repository, unless its row says "X OR Y".
REFUSED = re.compile(
    r"gnu (lesser |affero |library )?general public license|mozilla public license|eclipse public license"
    r"|business source license|server side public license|elastic license|commons clause"
    r"|creative commons attribution-(sharealike|noncommercial)|cc-by-(sa|nc)|reciprocal public license"
    r"|common development and distribution license|european union public licence"
)

LICENSE_FILE = re.compile(r"^(un)?licen[cs]e([-.].*)?$|^copying([-.].*)?$|^copyright$|^mit-license.*$", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """What the license files say; `problem` is empty where the code may be learned from."""

    license: str
    problem: str


def judge(git_dir: str, revision: str, stated: str) -> Verdict:
    """Compares what the list states (an SPDX expression, or "" when it is asked for) with the files at the root."""
    texts = [normal(read(git_dir, revision, name)) for name in root_files(git_dir, revision)]
    found = [license for license in (license_of(text) for text in texts) if license]
    if not found:
        return Verdict("", "no license file that is known to be permissive")
    if any(REFUSED.search(text) for text in texts) and " OR " not in stated:
        return Verdict(found[0], "a license file that is not permissive")
    wanted = stated.split(" OR ")[0]
    if stated and wanted not in found:
        return Verdict(found[0], f"the list says {wanted}, the files {', '.join(found)}")
    return Verdict(wanted or found[0], "")


def license_of(text: str) -> str:
    """The SPDX identifier of a normalized license text, "" for any that is not in the list."""
    return next((name for name, phrase in PERMISSIVE if re.search(phrase, text)), "")


def normal(text: str) -> str:
    return re.sub(r"[\s#*/]+", " ", text).lower()


def root_files(git_dir: str, revision: str) -> list[str]:
    """Those at the root; where there are none, those of the packages one folder further in."""
    names = git(git_dir, "ls-tree", "--name-only", revision).decode().splitlines()
    found = [name for name in names if LICENSE_FILE.match(name)]
    if found:
        return found
    inner = git(git_dir, "ls-tree", "-r", "--name-only", revision).decode("utf-8", "replace").splitlines()
    split = [path.split("/") for path in inner]
    return ["/".join(parts) for parts in split if len(parts) == 2 and is_license(*parts)]


def is_license(folder: str, name: str) -> bool:
    return bool(LICENSE_FILE.match(name)) or folder.upper() == "LICENSES"


def read(git_dir: str, revision: str, path: str) -> str:
    return git(git_dir, "show", f"{revision}:{path}").decode("utf-8", "replace")
