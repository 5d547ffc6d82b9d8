/** Light stemming: which words meet, and which stay apart. */

import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../server/common/words.ts";
import { prefixesOf, stem, termsOf, termsOfText } from "../../../server/search/query/stem.ts";

/** Words of programs in all their regular forms, and in some that are not. */
const SAME = `
embed embeds embedded embedding
alias aliases aliased aliasing
exceed exceeds exceeded exceeding
apply applies applied applying
retry retries retried retrying
copy copies copied copying
cookie cookies
control controls controlled controlling
cancel cancels cancelled cancelling canceled canceling
install installs installed installing
call calls called calling
scroll scrolls scrolled scrolling
add adds added adding
diff diffs diffed diffing
commit commits committed committing
log logs logged logging
map maps mapped mapping mappings
use uses used using
agree agrees agreed agreeing
free frees freed freeing
need needs needed needing
feed feeds feeding
speed speeds speeding
queue queues queued queuing queueing
index indexes indexed indexing indices
vertex vertices vertexes
matrix matrices
analysis analyses
focus focuses focused focusing
status statuses
canvas canvases
process processes processed processing
access accesses accessed accessing
cache caches cached caching
parse parses parsed parsing
match matches matched matching
push pushes pushed pushing
fix fixes fixed fixing
size sizes sized sizing
type types typed typing
define defines defined defining
response responses
database databases
case cases
query queries queried querying
dependency dependencies
property properties
entry entries
directory directories
class classes
batch batches batched batching
hash hashes hashed hashing
token tokens
schema schemas
value values valued valuing
set sets setting settings
get gets getting
run runs running
stop stops stopped stopping
begin begins beginning
refer refers referred referring
defer defers deferred deferring
filter filters filtered filtering
render renders rendered rendering
trigger triggers triggered triggering
update updates updated updating
create creates created creating
delete deletes deleted deleting
close closes closed closing
merge merges merged merging
encode encodes encoded encoding
load loads loaded loading
request requests requested requesting
connect connects connected connecting
label labels labelled labelling labeled labeling
model models modelled modelling modeled modeling
pull pulls pulled pulling
fill fills filled filling
spell spells spelled spelling
proceed proceeds proceeded proceeding
succeed succeeds succeeded succeeding
guarantee guarantees guaranteed guaranteeing
tie ties tied
die dies died
lie lies lied
movie movies
bus buses
lens lenses
child children
`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));
it.each(SAME)("counts %s and its forms as one", (first, ...others) => {
  expect(others.map(stem)).toEqual(others.map(() => stem(first ?? "")));
});

it.each(SAME)("knows how %s and its forms begin", (...words) => {
  const prefixes = prefixesOf(stem(words[0] ?? ""));
  const others = words.filter((word) => !prefixes.some((prefix) => word.startsWith(prefix)));
  expect(others).toEqual([]);
});

const APART = [
  ["status", "stat"],
  ["bus", "bu"],
  ["this", "thi"],
  ["string", "str"],
  ["used", "us"],
  ["news", "new"],
  ["alias", "alia"],
  ["embed", "emb"],
  ["exceed", "exce"],
  ["speed", "sped"],
  ["add", "ad"],
  ["process", "proces"],
  ["über", "übe"],
  ["utf8s", "utf8"],
];
it.each(APART)("keeps %s from %s", (word, other) => expect(stem(word)).not.toBe(other));

describe("terms", () => {
  it.each([
    ["parseQueries", "pars query parsequeries"],
    ["open_files", "open fil open_files"],
    ["getUsers getUsers", "get user getusers get user getusers"],
    // A word that only looks like the one before.
    ["files files", "fil fil"],
  ])("stems the parts of an identifier and keeps its whole: %s", (text, expected) => {
    expect(termsOfText(text).join(" ")).toBe(expected);
    expect(termsOf(wordsOf(text)).join(" ")).toBe(expected);
  });

  it("takes no word for a whole that only follows its parts in the text", () =>
    expect(termsOfText("data base database").join(" ")).toBe("data bas databas"));
});
