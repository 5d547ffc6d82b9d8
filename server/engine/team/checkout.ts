/** Checks what a publish is of: a commit that is checked out without changes, of a repository that has a name. */

import { BadRequest, messageOf, Unavailable } from "../../common/errors.ts";
import { readHead } from "../../common/git-head.ts";
import { type RepositoryPart, repositoryPart } from "../../common/git-remote.ts";
import type { PublishedKey, PublishRequest } from "../../contracts/published.ts";
import { changedFiles, notCheckedOut } from "../../history/changed-files.ts";
import { type OpenRepository, openRepository } from "../../history/open-repository.ts";
import { NoHistory } from "../../history/repository.ts";
import { GitError } from "../../history/run-git.ts";
import type { IgnoreRules } from "../../indexing/ignore/ignore-rules.ts";

/** The number of changed files that an error names. */
const MAX_NAMED = 5;

/** The commit in the work tree, and what its index is published as. */
interface Checkout {
  readonly key: PublishedKey;
  readonly commit: string;
}

interface CheckoutRequest extends PublishRequest {
  /** The setting `repository`. */
  readonly repository: string;
  readonly rules: IgnoreRules;
  /** The parent folder of private git directories. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The names that git allows are fewer. An unset variable of CI gives an empty name. */
const BRANCH = /^[^\p{Cc}\s]{1,250}$/u;

/** Rejects with BadRequest unless the folder is in a repository with a name, on a branch, and without changes. */
export async function readCheckout(request: CheckoutRequest): Promise<Checkout> {
  const { root } = request;
  const opened = await open(request);
  const part = await partOf(request);
  const branch = request.branch ?? (await readHead(root)).branch;
  if (branch === undefined) {
    throw new BadRequest(
      `${root} has a commit checked out and no branch; name the branch to publish with --branch`,
    );
  }
  if (!BRANCH.test(branch)) {
    const problem = `${JSON.stringify(branch)} is not the name of a branch`;
    throw new BadRequest(problem, { parameter: "branch" });
  }
  await refuseChanges(request, opened);
  return { key: { ...part, branch }, commit: opened.head.commit };
}

/** Rejects with Unavailable if the work tree changed while it was read. */
export async function checkAgain(request: CheckoutRequest, { commit }: Checkout): Promise<void> {
  const remedy = "publish again when nothing else changes its files";
  const { head } = await readStill(request);
  if (head.commit === commit) return;
  throw new Unavailable(`another commit was checked out in ${request.root} meanwhile`, remedy);
}

async function readStill(request: CheckoutRequest): Promise<OpenRepository> {
  const opened = await open(request);
  await refuseChanges(request, opened);
  return opened;
}

async function open({ root, folder }: CheckoutRequest): Promise<OpenRepository> {
  try {
    return await openRepository({ root, folder, path: process.env["PATH"] });
  } catch (error) {
    if (!(error instanceof NoHistory)) throw error;
    const problem = `${root} cannot be published, because ${messageOf(error)}`;
    throw new BadRequest(`${problem}; publish a clone that git has checked out`, { cause: error });
  }
}

async function partOf({ root, repository }: CheckoutRequest): Promise<RepositoryPart> {
  const part = await repositoryPart(root, repository);
  if (part !== undefined) return part;
  throw new BadRequest(
    `the repository of ${root} has no remote "origin" with a URL that other clones have, too; add one, or write "repository: HOST/PATH" into cocosearch.yaml`,
  );
}

/** An untracked file matters only if it would be indexed. */
async function refuseChanges(
  { root, rules, signal }: CheckoutRequest,
  opened: OpenRepository,
): Promise<void> {
  const { changed, untracked, missing } = await changesOf(opened, root, signal);
  if (missing.size > 0) {
    throw new BadRequest(
      `${root} is a sparse checkout without ${[...missing][0]}; run "git sparse-checkout disable", or publish a fresh clone`,
    );
  }
  const added = untracked.filter((path) => rules.decide(path, "file") === undefined);
  const all = [...changed, ...added];
  if (all.length === 0) return;
  const others = all.length - MAX_NAMED;
  const named = all.slice(0, MAX_NAMED).join(", ") + (others > 0 ? ` and ${others} more` : "");
  throw new BadRequest(
    `${root} differs from its commit: ${named}; commit, stash or ignore these files, or publish a fresh clone`,
  );
}

async function changesOf(opened: OpenRepository, root: string, signal: AbortSignal) {
  try {
    const { commit } = opened.head;
    const missing = await notCheckedOut(opened, root, ["."]);
    return { ...(await changedFiles(opened, root, commit, signal)), missing };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const problem = `git cannot compare ${root} with its commit (${messageOf(error)})`;
    throw new Unavailable(problem, "publish a fresh clone", { cause: error });
  }
}
