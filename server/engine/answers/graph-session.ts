/** The part of a session that asks the graphs of the opened folders. */

import type {
  CallsAnswer,
  CallsRequest,
  ExportedEdges,
  ImpactAnswer,
  ImpactRequest,
  PathRequest,
  RelatedAnswer,
  RelatedRequest,
} from "../../contracts/graph-requests.ts";
import type {
  CallEnd,
  CallsOfOne,
  CallsRequestOfOne,
  WrittenName,
} from "../../contracts/navigation.ts";
import type { Folder } from "./folder.ts";
import { callSitesIn, dependencyPathIn, exportFolderGraph, relatedIn } from "./folder-graph.ts";
import { impactIn } from "./impact.ts";
import type { NavigationContext } from "./name-places.ts";
import { callEnds, callsOfOne } from "./navigate.ts";

export abstract class GraphSession {
  /** Once the opened folders can be asked: what is stored of them is waited for. */
  protected abstract navigation(): Promise<NavigationContext>;

  /** BadRequest for one that is not open. */
  protected abstract opened(root: string): Folder;

  async related(request: RelatedRequest): Promise<RelatedAnswer> {
    return await relatedIn((await this.navigation()).folders, request);
  }

  async impact(request: ImpactRequest): Promise<ImpactAnswer> {
    return await impactIn((await this.navigation()).folders, request);
  }

  async dependencyPath(request: PathRequest): Promise<readonly string[]> {
    return await dependencyPathIn((await this.navigation()).folders, request);
  }

  async callers(request: CallsRequest): Promise<CallsAnswer> {
    return await callSitesIn((await this.navigation()).folders, "callers", request);
  }

  async callees(request: CallsRequest): Promise<CallsAnswer> {
    return await callSitesIn((await this.navigation()).folders, "callees", request);
  }

  async callEnds(name: WrittenName): Promise<readonly CallEnd[]> {
    return await callEnds(await this.navigation(), name);
  }

  async callsOfOne(request: CallsRequestOfOne): Promise<readonly CallsOfOne[]> {
    return await callsOfOne(await this.navigation(), request);
  }

  async exportGraph(root: string, start: number): Promise<ExportedEdges> {
    const folder = this.opened(root);
    await this.navigation();
    return await exportFolderGraph(folder, start);
  }
}
