#!/usr/bin/env python3
"""What Clang says of the includes and calls of C and C++ programs, to measure our graph by.

    pip install libclang
    clang-truth.py REPO compile_commands.json OUT NAME [HEADERS]

compile_commands.json comes from CMake (-DCMAKE_EXPORT_COMPILE_COMMANDS=ON), Meson or Bear. HEADERS is the folder of a compiler's own
headers (stddef.h); without it, that of `cc`. A program that uses <stdatomic.h> needs those of Clang: the package `clangd` has them.
Writes OUT/NAME.{imports,defs,refs,outside}.jsonl, as JSON Lines: paths are relative to REPO, lines are one-based, columns are
zero-based and in UTF-8. `deps export` writes the edges to compare, with zero-based lines.

imports  one line for each #include that the preprocessor resolves to a file of REPO. What no unit compiles (`#if 0`, another system) is
         asked of the preprocessor by itself and says `inactive`.
defs     functions, types, macros with parameters, and the fields and variables that belong to no function.
refs     calls that are written in the file, not those in the body of a macro: `to` is the definition that the compiler names, by its
         USR across all units; `others` are definitions of the same USR (several programs) and the class of a constructor. The use of a
         macro with parameters is a call of the macro, as is that of a field or variable that holds a function.
outside  calls of what no file of REPO declares, and of locals and parameters.

In none of them: units with errors (counted, with the first error of some), calls in templates that depend on a parameter, operators,
and calls of what a file of REPO declares but no compiled unit defines. What was left out is printed.
"""
import collections
import json
import os
import re
import shlex
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind as K

TYPES = {K.STRUCT_DECL, K.UNION_DECL, K.CLASS_DECL, K.ENUM_DECL, K.CLASS_TEMPLATE, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE}
TERMS = {K.FIELD_DECL, K.VAR_DECL, K.ENUM_CONSTANT_DECL}
WORD = re.compile(rb"[A-Za-z_]\w*")

repo, commands_file, out, name = sys.argv[1:5]
repo, out = os.path.realpath(repo) + "/", os.path.realpath(out)
index = cindex.Index.create()
lib = cindex.conf.lib
texts, defs, seen, calls, macros_used, macros_defined = {}, {}, set(), {}, {}, {}
includes, args_of, left_out, files_compiled = {}, {}, [], set()
dependent = 0
relative = {}


def rel(file):
    if file is None:
        return None
    path = file.name
    if path not in relative:
        real = os.path.realpath(path)
        relative[path] = real[len(repo):] if real.startswith(repo) else None
    return relative[path]


def included(directive):
    try:
        return rel(directive.get_included_file())
    except AssertionError:  # not found
        return None


def text_of(path):
    if path not in texts:
        with open(repo + path, "rb") as f:
            texts[path] = f.read()
    return texts[path]


def place(location):
    """Where a token is written: in the argument of a macro there, in its body where the macro is used."""
    f, l, c, o = cindex.c_object_p(), cindex.c_uint(), cindex.c_uint(), cindex.c_uint()
    lib.clang_getFileLocation(location, cindex.byref(f), cindex.byref(l), cindex.byref(c), cindex.byref(o))
    return (rel(cindex.File(f)) if f else None), l.value, c.value - 1, o.value


def word_at(path, offset):
    found = WORD.match(text_of(path), offset)
    return found.group().decode() if found else ""


def opens_list(path, offset, braces=False):
    rest = text_of(path)[offset:offset + 400]
    return re.match(rb"\w*\s*(?:::\s*)?(?:<[^();]*>)?\s*[({]" if braces else rb"\w*\s*(?:<[^();]*>)?\s*(?:\\\n\s*)*\(", rest) is not None


def pattern(cursor):
    """The template behind an instantiation."""
    for _ in range(8):
        general = lib.clang_getSpecializedCursorTemplate(cursor)
        if general is None or general.kind.is_invalid():
            return cursor
        cursor = general
    return cursor


def is_local(cursor):
    at = cursor.semantic_parent
    while at is not None and at.kind != K.TRANSLATION_UNIT:
        if at.kind in FUNCTIONS or at.kind == K.LAMBDA_EXPR:
            return True
        at = at.semantic_parent
    return False


def define(cursor, kind):
    path, line, col, offset = place(cursor.location)
    if path is None or is_local(cursor):
        return
    usr = cursor.get_usr()
    known = defs.setdefault(usr, {})
    if (path, line) not in known:
        known[path, line] = {"id": 0, "symbol": usr, "kind": kind, "file": path, "line": line, "endLine": cursor.extent.end.line,
                             "name": re.sub(r"<.*", "", cursor.spelling.split("(")[0]) or word_at(path, offset)}


def callee_of(call):
    """The name that is called, under casts and brackets that nobody wrote."""
    children = call.get_children()
    at = next(children, None)
    while at is not None:
        if at.kind in (K.DECL_REF_EXPR, K.MEMBER_REF_EXPR, K.OVERLOADED_DECL_REF, K.TYPE_REF, K.TEMPLATE_REF):
            return at
        if at.kind not in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
            return None
        at = next(at.get_children(), None)
    return None


def add_call(path, line, col, offset, written, target, scope, klass=None):
    calls.setdefault((path, offset), {"path": path, "line": line, "col": col, "name": written, "target": target, "scope": scope, "class": klass})


def target_of(cursor):
    cursor = pattern(cursor)
    path = place(cursor.location)[0]
    local = cursor.kind == K.PARM_DECL or (cursor.kind == K.VAR_DECL and is_local(cursor)) or (path is not None and is_local(cursor))
    return {"usr": cursor.get_usr(), "in": path, "local": local, "pure": cursor.kind == K.CXX_METHOD and cursor.is_pure_virtual_method(), "cursor": cursor if path else None}


def note_call(call, scope):
    global dependent
    referenced = call.referenced
    if referenced is None:
        dependent += 1
        return
    if referenced.kind == K.CONSTRUCTOR:
        return note_constructor(call, referenced, scope)
    callee = callee_of(call)
    if callee is None or callee.kind in (K.TYPE_REF, K.TEMPLATE_REF):
        return
    spelled = callee.referenced if callee.referenced is not None and referenced.spelling.startswith("operator") else referenced
    path, line, col, offset = place(callee.location)
    if path is None or spelled.spelling.startswith("operator"):
        return
    written = word_at(path, offset)
    if written != re.sub(r"<.*", "", spelled.spelling) and not spelled.spelling.startswith("~"):
        return
    if not opens_list(path, offset):
        # `(*f)(x)`, a macro of the name
        if written == "" or not re.match(rb"\w*\s*\)\s*\(", text_of(path)[offset:offset + 200]):
            return
    target = target_of(spelled)
    if target["pure"]:
        define(target["cursor"], "function")
    add_call(path, line, col, offset, written, target, scope)


def note_constructor(call, constructor, scope):
    klass = pattern(constructor).semantic_parent
    klass = pattern(klass) if klass is not None else None
    short = re.sub(r"<.*", "", klass.spelling) if klass is not None else ""
    start = place(call.extent.start)
    if start[0] is None or short == "":
        return
    # `ns::Type(`, `new Type(`, `Type{`; `Type name(` is a declaration.
    text = text_of(start[0])[start[3]:start[3] + 300]
    found = re.match(rb"(?:new\s+)?(?:\([^()]*\)\s*)?(?:::)?(?:\w+(?:<[^();]*>)?\s*::\s*)*(" + re.escape(short).encode() + rb")\s*(?:<[^();]*>)?\s*([({])", text)
    if not found:
        return
    offset = start[3] + found.start(1)
    before = text_of(start[0])[:offset]
    line = before.count(b"\n") + 1
    col = offset - (before.rfind(b"\n") + 1)
    target = target_of(constructor)
    add_call(start[0], line, col, offset, short, target, scope, target_of(klass))


def walk(cursor, scope):
    for child in cursor.get_children():
        kind = child.kind
        inside = scope
        if kind in FUNCTIONS:
            if child.is_definition():
                define(child, "function")
                inside = child.get_usr()
        elif kind in TYPES:
            if child.is_definition():
                define(child, "type")
        elif kind in TERMS:
            define(child, "term")
        elif kind in (K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL):
            define(child, "type")
        elif kind == K.CALL_EXPR:
            note_call(child, scope)
        walk(child, inside)


def preprocessing(cursor):
    kind = cursor.kind
    path, line, col, offset = place(cursor.location)
    if path is None:
        return
    if kind == K.INCLUSION_DIRECTIVE:
        to = included(cursor)
        includes.setdefault((path, line), set())
        if to is not None:
            includes[path, line].add(to)
    elif kind == K.MACRO_DEFINITION:
        if lib.clang_Cursor_isMacroFunctionLike(cursor):
            macros_defined[path, line] = {"id": 0, "symbol": f"macro {path}:{line} {cursor.spelling}", "kind": "macro", "file": path,
                                          "line": line, "endLine": cursor.extent.end.line, "name": cursor.spelling}
    elif kind == K.MACRO_INSTANTIATION:
        if word_at(path, offset) != cursor.spelling or not opens_list(path, offset):
            return
        definition = cursor.referenced
        to = place(definition.location) if definition is not None else (None, 0, 0, 0)
        has_list = definition is not None and bool(lib.clang_Cursor_isMacroFunctionLike(definition))
        macros_used[path, offset] = {"path": path, "line": line, "col": col, "name": cursor.spelling, "to": to[:2], "list": has_list}


def arguments(command):
    args = command.get("arguments") or shlex.split(command["command"])
    kept, skip = [], False
    for arg in args[1:]:
        if skip:
            skip = False
        elif arg in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif arg in ("-c", "-MD", "-MMD", "-MP", "--") or arg == command["file"] or arg.startswith(("-W", "-f")) and not arg.startswith("-fno-exc"):
            continue
        else:
            kept.append(arg)
    return kept


def absolute(command):
    return os.path.realpath(os.path.join(command["directory"], command["file"]))


def compiler_headers():
    """libclang comes without a compiler's own headers: those of the compiler that is installed do for most programs."""
    command = [os.environ.get("CC", "cc"), "-print-file-name=include"]
    folder = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return ["-isystem", folder] if os.path.isdir(folder) else []


commands = {}
for command in json.load(open(commands_file)):
    file = absolute(command)
    if file.startswith(repo):
        commands.setdefault(file, command)
own = ["-isystem", os.path.realpath(sys.argv[5])] if len(sys.argv) > 5 else compiler_headers()
options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
for n, (file, command) in enumerate(sorted(commands.items())):
    args = arguments(command) + own
    os.chdir(command["directory"])
    try:
        unit = index.parse(file, args=args, options=options)
    except cindex.TranslationUnitLoadError:
        left_out.append((file[len(repo):], "does not load"))
        continue
    errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if errors:
        left_out.append((file[len(repo):], errors[0].spelling + " at " + str(errors[0].location.file) + ":" + str(errors[0].location.line)))
        continue
    files_compiled.add(file[len(repo):])
    for child in unit.cursor.get_children():
        if child.kind.is_preprocessing():
            preprocessing(child)
            continue
        path, _, _, offset = place(child.location)
        if path is None:
            continue
        key = (path, offset, child.extent.end.offset, child.kind)
        if key in seen:
            continue
        seen.add(key)
        walk_from = type("Top", (), {"get_children": lambda self, child=child: iter([child])})()
        walk(walk_from, None)
    for path, _ in list(includes):
        args_of.setdefault(path, (args, command["directory"], file))
    if n % 20 == 0:
        print(n, len(commands), file[len(repo):], len(calls), file=sys.stderr)
    # Cursors keep their unit alive.
    for call in calls.values():
        call["target"]["cursor"] = None

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<][^">\n]+[">])', re.M)
inactive = set()
for path in sorted({p for p, _ in includes} | files_compiled | {d["file"] for k in defs.values() for d in k.values()}):
    if path not in args_of:
        continue
    args, folder, _ = args_of[path]
    for found in INCLUDE.finditer(text_of(path)):
        line = text_of(path).count(b"\n", 0, found.start(1)) + 1
        if (path, line) in includes:
            continue
        os.chdir(folder)
        probe = repo + os.path.dirname(path) + "/clang-truth-probe" + os.path.splitext(path)[1]
        unit = index.parse(probe, args=[*args, "-x", "c++" if re.search(r"\.(cc|cpp|hpp|cxx|hh)$", path) or any("++" in a for a in args) else "c"],
                           unsaved_files=[(probe, "#include " + found.group(1).decode() + "\n")], options=options)
        for child in unit.cursor.get_children():
            if child.kind == K.INCLUSION_DIRECTIVE and child.location.file and os.path.basename(child.location.file.name).startswith("clang-truth-probe"):
                to = included(child)
                if to is not None:
                    inactive.add((path, to, line))

number = 0
for known in defs.values():
    for one in known.values():
        number += 1
        one["id"] = number
for one in macros_defined.values():
    number += 1
    one["id"] = number


def write(kind, rows):
    with open(f"{out}/{name}.{kind}.jsonl", "w") as f:
        for row in rows:
            f.write(json.dumps(row) + "\n")


write("imports", [{"from": f, "to": t, "line": l} for (f, l), targets in sorted(includes.items()) for t in sorted(targets) if t != f]
      + [{"from": f, "to": t, "line": l, "inactive": True} for f, t, l in sorted(inactive) if t != f])
write("defs", [one for known in defs.values() for one in known.values()] + list(macros_defined.values()))
refs, outside, undefined = [], [], 0
for (path, offset), m in sorted(macros_used.items()):
    at = {"file": path, "line": m["line"], "col": m["col"]}
    to = macros_defined.get(m["to"]) if m["list"] else None
    if to is not None:
        refs.append({"from": {"file": path, "line": None, "def": None, "name": None}, "to": {"file": to["file"], "line": to["line"], "def": to["id"], "name": to["name"], "kind": "macro"}, "at": at, "call": True, "import": False})
    elif m["to"][0] is None:
        outside.append({"at": at, "from": None, "name": m["name"], "why": "outside"})
    calls.pop((path, offset), None)
for (path, offset), call in sorted(calls.items()):
    at = {"file": path, "line": call["line"], "col": call["col"]}
    around = next(iter(defs.get(call["scope"], {}).values()), None)
    target = call["target"]
    found = list(defs.get(target["usr"], {}).values())
    if call["class"] is not None:
        found += list(defs.get(call["class"]["usr"], {}).values())
    if target["local"]:
        outside.append({"at": at, "from": around and around["id"], "name": call["name"], "why": "local"})
    elif found:
        to = found[0]
        row = {"from": {"file": path, "line": around and around["line"], "def": around and around["id"], "name": around and around["name"]},
               "to": {"file": to["file"], "line": to["line"], "def": to["id"], "name": to["name"], "kind": to["kind"]}, "at": at, "call": True, "import": False}
        if len(found) > 1:
            row["others"] = [one["id"] for one in found[1:]]
        refs.append(row)
    elif target["in"] is None:
        outside.append({"at": at, "from": around and around["id"], "name": call["name"], "why": "outside"})
    else:
        undefined += 1
write("refs", refs)
write("outside", outside)
print(json.dumps({"name": name, "units": len(commands), "leftOut": len(left_out), "whyLeftOut": left_out[:12], "defs": number, "calls": len(refs),
                  "kinds": collections.Counter(r["to"]["kind"] for r in refs), "outside": len(outside), "notDefinedHere": undefined, "dependentOnTemplate": dependent,
                  "imports": sum(len(t) for t in includes.values()), "inactiveImports": len(inactive)}))
