import {
  AuthenticationV1Api,
  AuthorizationV1Api,
  CustomObjectsApi,
  createConfiguration,
  type KubernetesObject,
  PatchStrategy,
  ServerConfiguration,
  VersionApi,
} from "@kubernetes/client-node";
import { type Clock, seconds, sleep } from "../../clock.ts";
import { beforeEffect } from "../../effect.ts";
import { AppError, isKind } from "../../error.ts";
import { refusePage } from "../../http-body.ts";
import type { Breaker } from "./breaker.ts";
import { type Connection, type Fetch, httpLibrary, PooledConfig } from "./connection.ts";
import {
  type CustomKind,
  type KubeList,
  type KubeObject,
  kubeListSchema,
  kubeObjectSchema,
  type ObjectName,
} from "./kube-object.ts";
import { ObjectApi } from "./object-api.ts";
import { codeOf, translate } from "./refusal.ts";
import type { Right } from "./right.ts";

export interface Selection {
  /** All namespaces if absent. */
  namespace?: string;
  labelSelector?: string;
}

/** The changes of an object; null removes a member. */
export interface MergePatch {
  metadata?: {
    labels?: Record<string, string | null>;
    annotations?: Record<string, string | null>;
  };
  spec?: Record<string, unknown>;
}

export interface HubApiOptions {
  connection: Connection;
  /** Times requests and the pauses between attempts. */
  wall: Clock;
  /** The limit of a read, in milliseconds of `wall`. */
  timeout: number;
  /** The limit of a write, in milliseconds of `wall`; the default exceeds the server's own. */
  writeTimeout?: number;
  breaker?: Breaker;
  /** Replaces the HTTP client. */
  fetch?: Fetch;
  /** The server's name in messages; "the hub" by default. */
  system?: string;
}

/**
 * A server works on a request for up to a minute, and calls webhooks meanwhile, each for up to half a minute.
 * A client that gives up sooner takes an accepted write for a failure, and does not learn which webhook
 * fails.
 */
const longestWrite = seconds(65);

const fieldManager = "slipway";
/** The item limit of one page of a list. */
const pageSize = 500;
/** Attempts of a write that conflicts with others, and the pause after the first, in milliseconds. */
const tries = 5;
const pause = 50;

/** Slipway's calls of one Kubernetes API server. Throws Unavailable or Rejected. */
export class HubApi {
  readonly #config: PooledConfig;
  readonly #objects: ObjectApi;
  readonly #custom: CustomObjectsApi;
  readonly #authentication: AuthenticationV1Api;
  readonly #authorization: AuthorizationV1Api;
  readonly #version: VersionApi;
  readonly #wall: Clock;
  readonly #breaker: Breaker | undefined;
  readonly #system: string;

  constructor(options: HubApiOptions) {
    const { connection, wall, timeout, breaker, fetch, system = "the hub" } = options;
    const limits = { read: timeout, write: options.writeTimeout ?? longestWrite };
    this.#config = new PooledConfig(connection, {}, fetch);
    const configuration = createConfiguration({
      baseServer: new ServerConfiguration(connection.server, {}),
      authMethods: { default: this.#config },
      httpApi: httpLibrary(this.#config, wall, limits, system),
    });
    this.#objects = new ObjectApi(configuration);
    this.#custom = new CustomObjectsApi(configuration);
    this.#authentication = new AuthenticationV1Api(configuration);
    this.#authorization = new AuthorizationV1Api(configuration);
    this.#version = new VersionApi(configuration);
    this.#wall = wall;
    this.#breaker = breaker;
    this.#system = system;
  }

  /** Server-side apply with force: creates the object, or takes ownership of the fields that we set. */
  async apply(object: ObjectName): Promise<void> {
    await this.#change(object, () =>
      this.#objects.patch(
        object,
        undefined,
        undefined,
        fieldManager,
        true,
        PatchStrategy.ServerSideApply,
      ),
    );
  }

  /**
   * Server-side apply of an object that somebody else wrote: sends it unchanged; the server refuses unknown
   * members.
   */
  async applyStrictly(object: ObjectName): Promise<void> {
    await this.#change(object, () => this.#objects.applyStrictly(object, fieldManager));
  }

  /**
   * Reads an object and sends the merge patch from `patch` (none if undefined), on the condition
   * that nobody has changed the object in between; otherwise starts over.
   */
  async change(
    name: ObjectName,
    patch: (object: KubeObject | undefined) => MergePatch | undefined,
  ): Promise<void> {
    await this.#again(async () => {
      const object = await this.read(name);
      const change = patch(object);
      if (change === undefined) return;
      const { metadata, ...rest } = change;
      const version = { resourceVersion: object?.metadata.resourceVersion };
      const body = { ...name, metadata: { ...name.metadata, ...version, ...metadata }, ...rest };
      await beforeEffect();
      await this.#call(name, () =>
        this.#objects.patch(
          // A null in a merge patch removes a member; the client's types cannot express that.
          body as KubernetesObject,
          undefined,
          undefined,
          fieldManager,
          undefined,
          PatchStrategy.MergePatch,
        ),
      );
    });
  }

  /** Undefined if the object or its kind does not exist. */
  async read(name: ObjectName): Promise<KubeObject | undefined> {
    return this.#call(name, async () => {
      const object = await this.#objects.read(name).catch(absent);
      // Through JSON, because the client converts timestamps to Dates.
      return object && kubeObjectSchema.parse(JSON.parse(JSON.stringify(object)));
    });
  }

  /** Succeeds if the object is absent or its kind is not served. */
  async remove(name: ObjectName): Promise<void> {
    await this.#change(name, () => this.#objects.delete(name).catch(absent));
  }

  /** All objects of a custom kind, page by page; the metadata are the last page's. */
  async list(kind: CustomKind, selection: Selection = {}): Promise<KubeList> {
    const items: KubeObject[] = [];
    let page: KubeList | undefined;
    let pages = 0;
    do {
      refusePage(++pages, `the list of ${kind.plural} of ${this.#system}`);
      page = await this.#page(kind, selection, page?.metadata.continue);
      items.push(...page.items);
    } while (page.metadata.continue);
    return { metadata: page.metadata, items };
  }

  /** All objects of any kind, in one answer: for kinds with few objects. */
  async listAll(
    apiVersion: string,
    kind: string,
    selection: Selection = {},
  ): Promise<KubeObject[]> {
    const { namespace, labelSelector } = selection;
    return this.#call(kind, async () => {
      const list = await this.#objects.list(
        apiVersion,
        kind,
        namespace,
        undefined,
        undefined,
        undefined,
        undefined,
        labelSelector,
      );
      return kubeListSchema.parse(JSON.parse(JSON.stringify(list))).items;
    });
  }

  /** The server's version, such as v1.33.4. */
  async version(): Promise<string> {
    return this.#call("version", async () => (await this.#version.getCode()).gitVersion);
  }

  /** Whether the server serves this kind. */
  async serves({ group, version, plural }: Omit<CustomKind, "kind">): Promise<boolean> {
    return this.#call(plural, async () => {
      const list = await this.#custom.getAPIResources({ group, version }).catch(absent);
      return list?.resources.some(({ name }) => name === plural) ?? false;
    });
  }

  /** Our own user name at the server; undefined if the server does not tell, as before Kubernetes 1.28. */
  async username(): Promise<string | undefined> {
    return this.#again(() =>
      this.#call("username", async () => {
        const review = await this.#authentication
          .createSelfSubjectReview({ body: {} })
          .catch(absent);
        return review?.status?.userInfo?.username;
      }),
    );
  }

  /** Whether we have the right; undefined if the server does not tell. */
  async isAllowed(right: Right): Promise<boolean | undefined> {
    return this.#call(`${right.verb} ${right.resource}`, async () => {
      const body = { spec: { resourceAttributes: right } };
      const review = await this.#authorization
        .createSelfSubjectAccessReview({ body })
        .catch(absent);
      return review?.status?.allowed;
    });
  }

  async close(): Promise<void> {
    await this.#config.close();
  }

  /** Reads one page through CustomObjectsApi, because KubernetesObjectApi loses the continue token. */
  async #page(kind: CustomKind, selection: Selection, next?: string): Promise<KubeList> {
    const { group, version, plural } = kind;
    const { namespace, labelSelector } = selection;
    const query = { group, version, plural, labelSelector, limit: pageSize, _continue: next };
    return this.#call(plural, async () =>
      kubeListSchema.parse(
        namespace === undefined
          ? await this.#custom.listClusterCustomObject(query)
          : await this.#custom.listNamespacedCustomObject({ ...query, namespace }),
      ),
    );
  }

  /** Sends a write and retries conflicts; checks before each attempt that it is still permitted. */
  async #change(name: ObjectName, write: () => Promise<unknown>): Promise<void> {
    await this.#again(async () => {
      // The client may first ask for the kind's path; asking now leaves nothing between the check and the
      // write.
      await this.#call(name, () => this.#objects.learn(name).catch(absent));
      await beforeEffect();
      await this.#call(name, write);
    });
  }

  async #call<T>(what: ObjectName | string, call: () => Promise<T>): Promise<T> {
    const guarded = () =>
      call().catch((error: unknown) => {
        throw translate(error, what, this.#system);
      });
    return this.#breaker ? this.#breaker.run(guarded) : guarded();
  }

  /** Retries conflicts. */
  async #again<T>(call: () => Promise<T>): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        return await call();
      } catch (error) {
        if (!isKind(error, "Conflict")) throw error;
        if (n === tries) throw new AppError("Unavailable", error.message, { cause: error });
        await sleep(this.#wall, n * pause);
      }
    }
  }
}

function absent(error: unknown): undefined {
  if (codeOf(error) !== 404) throw error;
}
