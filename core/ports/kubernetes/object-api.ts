import {
  type Configuration,
  HttpMethod,
  KubernetesObjectApi,
  PatchStrategy,
} from "@kubernetes/client-node";
import type { ObjectName } from "./kube-object.ts";

/** Server-side apply of objects that others have written: nothing in them may be lost on the way. */
export class ObjectApi extends KubernetesObjectApi {
  // The base class keeps it to itself.
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    super(configuration);
    this.#configuration = configuration;
  }

  /**
   * The client's own `patch` drops the members that it does not know, of kinds that it knows, and
   * writes names in lower case. This sends what it is given; a member that the server does not know
   * is refused.
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
