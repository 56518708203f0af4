import {
  type Configuration,
  HttpMethod,
  KubernetesObjectApi,
  PatchStrategy,
  type V1APIResource,
} from "@kubernetes/client-node";
import { knownResource } from "./known-kinds.ts";
import type { ObjectName } from "./kube-object.ts";

/** Server-side apply of objects that others have written, without losing any of their members. */
export class ObjectApi extends KubernetesObjectApi {
  // The base class keeps its configuration private.
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    super(configuration);
    this.#configuration = configuration;
  }

  /** The client asks each server for a kind's name in paths; of the kinds here it is known. */
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

  /** Asks the server for the kind of an object, once: what follows needs no such question. */
  async learn({ apiVersion, kind }: ObjectName): Promise<void> {
    await this.resource(apiVersion, kind);
  }

  /**
   * The client's own `patch` drops members that it does not know from kinds that it knows, and
   * writes names in lower case. This method sends the object unchanged; the server refuses members
   * that it does not know.
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
