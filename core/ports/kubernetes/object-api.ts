import {
  type Configuration,
  HttpMethod,
  KubernetesObjectApi,
  PatchStrategy,
  type V1APIResource,
} from "@kubernetes/client-node";
import { knownResource } from "./known-kinds.ts";
import type { ObjectName } from "./kube-object.ts";

/** Server-side apply of other people's objects without losing any of their members. */
export class ObjectApi extends KubernetesObjectApi {
  // The base class keeps its configuration private.
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    super(configuration);
    this.#configuration = configuration;
  }

  /** The client asks each server for a kind's path; the paths of the kinds here are known. */
  protected override async resource(
    apiVersion: string,
    kind: string,
    options?: Configuration,
  ): Promise<V1APIResource | undefined> {
    const known = knownResource(apiVersion, kind);
    return known
      ? { ...known, kind, singularName: "", verbs: [] }
      : super.resource(apiVersion, kind, options);
  }

  /** Asks the server for a kind's path once, so that later requests need not. */
  async learn({ apiVersion, kind }: ObjectName): Promise<void> {
    await this.resource(apiVersion, kind);
  }

  /**
   * The client's own `patch` drops unknown members of known kinds, and lower-cases names. This method sends
   * the object unchanged; the server refuses unknown members.
   */
  async applyStrictly(object: ObjectName, fieldManager: string): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const resource = await this.resource(apiVersion, kind);
    if (!resource) throw new Error(`Unrecognized API version and kind: ${apiVersion} ${kind}`);
    const { namespace = "default" } = metadata;
    const path = [
      this.apiVersionPath(apiVersion),
      ...(resource.namespaced ? ["namespaces", encodeURIComponent(namespace)] : []),
      resource.name,
      encodeURIComponent(metadata.name),
    ].join("/");
    const request = this.#configuration.baseServer.makeRequestContext(path, HttpMethod.PATCH);
    request.setHeaderParam("Accept", "application/json");
    request.setHeaderParam("Content-Type", PatchStrategy.ServerSideApply);
    request.setQueryParam("fieldManager", fieldManager);
    request.setQueryParam("force", "true");
    request.setQueryParam("fieldValidation", "Strict");
    request.setBody(JSON.stringify(object));
    await this.requestPromise(request);
  }
}
