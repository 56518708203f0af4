import type { KubeCluster, KubeObject } from "../../../sim/kubernetes/cluster.ts";
import {
  apiVersionOf,
  type ObjectMeta,
  type ResourceKind,
} from "../../../sim/kubernetes/object.ts";
import { isObject, type JsonObject, sameJson } from "../../../sim/kubernetes/paths.ts";
import { eventually } from "../../support/eventually.ts";

/** Sends a request to the real API server, by the operators' account. */
type Send = (request: Request) => Promise<Response>;

/** Kinds that operators neither make nor change on a hub. */
const notOurs =
  /^(rbac\.authorization\.k8s\.io|coordination\.k8s\.io)\/|^\/(ServiceAccount|Node|Event)$/;

/**
 * Has the operators of a simulated hub work on a real API server: what they change in `cluster` is sent there, and
 * what Slipway writes there is in `cluster` before they act again. Both hold the same objects under two sets of uids.
 * The real server judges every write of both, and refuses unknown fields.
 */
export class Mirror {
  readonly #cluster: KubeCluster;
  readonly #server: string;
  readonly #send: Send;
  /** Changes that were not sent yet, by uid, in the order of the first one. */
  readonly #changed = new Map<
    string,
    { kind: ResourceKind; object: KubeObject; isGone: boolean }
  >();
  /** The objects on the server, by the uid here: as both had them last, and the uid there. */
  readonly #sent = new Map<string, { object: KubeObject; uid: string }>();
  readonly #unsubscribe: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(cluster: KubeCluster, server: string, send: Send) {
    this.#cluster = cluster;
    this.#server = server;
    this.#send = send;
    for (const kind of cluster.kinds.all)
      for (const object of cluster.store.list(kind)) this.#note(kind, object, false);
    this.#unsubscribe = cluster.store.changes.subscribe(({ kind, event: { type, object } }) => {
      this.#note(kind, object, type === "DELETED");
    });
  }

  /** Sends a request of Slipway's, between what operators did before and what they do after. */
  async handle(request: Request, send: Send): Promise<Response> {
    return this.#inTurn(async () => {
      await this.#write();
      const response = await send(request);
      if (request.method !== "GET") await this.#readBack(request.url);
      return this.#inOurTime(response);
    });
  }

  /** Waits for requests under way: while the server works, no time passes here. */
  async idle(): Promise<void> {
    while (this.#waiting > 0) {
      await this.#turn;
      // The caller may have the next request.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async stop(): Promise<void> {
    await this.#inTurn(() => this.#write());
    this.#unsubscribe();
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#waiting -= 1;
    }
  }

  #note(kind: ResourceKind, object: KubeObject, isGone: boolean): void {
    if (notOurs.test(`${kind.group}/${kind.kind}`)) return;
    if (object.type === "kubernetes.io/service-account-token") return;
    this.#changed.set(object.metadata.uid, { kind, object, isGone });
  }

  /** Sends what operators have changed. */
  async #write(): Promise<void> {
    for (const [uid, { kind, object, isGone }] of this.#changed) {
      this.#changed.delete(uid);
      const sent = this.#sent.get(uid);
      if (isGone) await this.#remove(kind, object);
      else if (sent) await this.#change(kind, object, sent.object);
      else await this.#create(kind, object);
    }
  }

  async #create(kind: ResourceKind, object: KubeObject): Promise<void> {
    const { name, labels, annotations, finalizers } = object.metadata;
    const { status, ...rest } = object;
    const metadata = {
      ...{ name, labels, annotations, finalizers },
      ownerReferences: this.#thereOwners(object.metadata),
    };
    const made = await this.#ask("POST", kind, object, "", { ...rest, metadata });
    // A namespace that an administrator has made.
    const there = made ?? (await this.#ask("GET", kind, object));
    if (!there) throw new Error(`${kind.kind} ${name} is neither created nor there`);
    this.#adopt(kind, there, object);
    if (status !== undefined) await this.#writeStatus(kind, object, undefined);
  }

  async #change(kind: ResourceKind, object: KubeObject, before: KubeObject): Promise<void> {
    if (object.metadata.deletionTimestamp && !before.metadata.deletionTimestamp)
      await this.#ask("DELETE", kind, object);
    const main = differences(this.#written(before), this.#written(object));
    if (main !== undefined) {
      const there = await this.#ask("PATCH", kind, object, "", main);
      if (there) this.#adopt(kind, there, object);
    }
    await this.#writeStatus(kind, object, before.status);
    const sent = this.#sent.get(object.metadata.uid);
    if (sent) this.#sent.set(object.metadata.uid, { ...sent, object });
  }

  async #writeStatus(kind: ResourceKind, object: KubeObject, before: unknown): Promise<void> {
    // A namespace's is the namespace controller's, which runs there.
    if (!kind.subresources?.includes("status") || kind.kind === "Namespace") return;
    if (object.status === undefined || sameJson(before, object.status)) return;
    // The only patch that keeps a null.
    const whole = [{ op: "add", path: "/status", value: object.status }];
    if (kind.kind === "CertificateSigningRequest")
      await this.#ask("PATCH", kind, object, "/approval", whole);
    await this.#ask("PATCH", kind, object, "/status", whole);
  }

  async #remove(kind: ResourceKind, object: KubeObject): Promise<void> {
    const { uid, finalizers = [] } = this.#sent.get(object.metadata.uid)?.object.metadata ?? {};
    if (uid === undefined) return;
    await this.#ask("DELETE", kind, object);
    if (finalizers.length > 0)
      await this.#ask("PATCH", kind, object, "", { metadata: { finalizers: null } });
    this.#sent.delete(uid);
    if (kind.kind !== "Namespace") return;
    await eventually(async () => {
      if (await this.#ask("GET", kind, object))
        throw new Error(`the namespace ${object.metadata.name} is still being removed`);
    });
  }

  /** Takes over what Slipway has written at this URL. */
  async #readBack(url: string): Promise<void> {
    const [, group = "", version = "", namespace, plural = "", name] =
      /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+)(?=\/[^/]+\/))?\/([^/]+)\/([^/]+)/.exec(
        new URL(url).pathname,
      ) ?? [];
    const kind = this.#cluster.kinds.all.find(
      (each) => each.group === group && each.version === version && each.plural === plural,
    );
    // Reviews of what an account may do are stored nowhere.
    if (!kind || name === undefined) return;
    const key = { name, ...(namespace !== undefined && { namespace }) };
    let there: KubeObject | undefined;
    do {
      await this.#write();
      there = await this.#ask("GET", kind, { metadata: key });
    } while (this.#changed.size > 0);
    const here = this.#cluster.get(`${kind.kind}.${group}`, namespace, name);
    if (there?.metadata.deletionTimestamp || !there) this.#removeHere(kind, here, there);
    if (there) this.#adopt(kind, there);
  }

  #removeHere(kind: ResourceKind, here: KubeObject | undefined, there: KubeObject | undefined) {
    if (!here) return;
    const { name, namespace } = here.metadata;
    const named = `${kind.kind}.${kind.group}`;
    if (!here.metadata.deletionTimestamp) this.#cluster.delete(named, namespace, name);
    if (!there && this.#cluster.get(named, namespace, name))
      throw new Error(`${kind.kind} ${name} is gone from the server while operators hold it`);
    if (!there) this.#sent.delete(here.metadata.uid);
  }

  /** Has the object here as the server has it; one that operators have written keeps their status. */
  #adopt(kind: ResourceKind, there: KubeObject, written?: KubeObject): void {
    const { store } = this.#cluster;
    const { name, namespace = "" } = there.metadata;
    const here = store.get(kind, { namespace, name });
    // Operators have changed it meanwhile; the server hears of that next.
    if (written && here !== written) {
      this.#sent.set(written.metadata.uid, { object: written, uid: there.metadata.uid });
      return;
    }
    const uid = here?.metadata.uid ?? there.metadata.uid;
    const { managedFields: _, ownerReferences = [], ...metadata } = there.metadata;
    const now = new Date(this.#cluster.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    const owners = ownerReferences.map((owner) => ({ ...owner, uid: this.#hereUid(owner.uid) }));
    const object: KubeObject = {
      ...there,
      metadata: {
        ...metadata,
        ...(owners.length > 0 && { ownerReferences: owners }),
        uid,
        creationTimestamp: here?.metadata.creationTimestamp ?? now,
        ...(here && { resourceVersion: here.metadata.resourceVersion }),
      },
      ...(written && here && "status" in here && { status: here.status }),
    };
    this.#sent.set(uid, { object, uid: there.metadata.uid });
    if (sameJson(here, object)) return;
    const stored = store.transaction(() => store.put(kind, object, here));
    if (this.#changed.get(uid)?.object === stored) this.#changed.delete(uid);
  }

  /** The members of an object that its main part writes. */
  #written({ metadata, status: _, apiVersion: __, kind: ___, ...rest }: KubeObject): JsonObject {
    const { labels, annotations, finalizers } = metadata;
    const ownerReferences = this.#thereOwners(metadata);
    return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
  }

  #thereOwners({ ownerReferences }: ObjectMeta) {
    return ownerReferences?.map((owner) => ({
      ...owner,
      uid: this.#sent.get(owner.uid)?.uid ?? owner.uid,
    }));
  }

  #hereUid(there: string): string {
    for (const [here, { uid }] of this.#sent) if (uid === there) return here;
    return there;
  }

  /** Objects are as old as the clock here says, which the server's does not follow. */
  async #inOurTime(response: Response): Promise<Response> {
    const text = await response.text();
    const births = new Map(
      Array.from(this.#sent.values(), ({ object, uid }) => [
        uid,
        object.metadata.creationTimestamp,
      ]),
    );
    const aged = (key: string, value: unknown): unknown => {
      const uid = key === "metadata" && isObject(value) ? String(value.uid) : "";
      const creationTimestamp = births.get(uid);
      return creationTimestamp && isObject(value) ? { ...value, creationTimestamp } : value;
    };
    const isJson = /json/.test(response.headers.get("content-type") ?? "") && text !== "";
    const { status, headers } = response;
    return new Response(isJson ? JSON.stringify(JSON.parse(text, aged)) : text, {
      ...{ status, headers },
    });
  }

  /** A request of the operators'. Undefined where it is not there, or for POST is there already. */
  async #ask(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    kind: ResourceKind,
    { metadata: { name, namespace } }: { metadata: { name: string; namespace?: string } },
    subresource = "",
    body?: JsonObject | JsonObject[],
  ): Promise<KubeObject | undefined> {
    const root = kind.group === "" ? "/api" : "/apis";
    const place = kind.namespaced ? `/namespaces/${namespace}` : "";
    const path = `${root}/${apiVersionOf(kind)}${place}/${kind.plural}`;
    const object = method === "POST" ? "" : `/${name}${subresource}`;
    const query = body ? "?fieldManager=operators&fieldValidation=Strict" : "";
    const response = await this.#send(
      new Request(`${this.#server}${path}${object}${query}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: { "content-type": contentTypeOf(method, body) },
      }),
    );
    const absent = method === "POST" ? 409 : 404;
    if (response.status === absent) return undefined;
    if (response.ok) return (await response.json()) as KubeObject;
    const { message } = (await response.json()) as { message: string };
    // Some refusals begin with the whole object.
    const why = message.slice(-400);
    throw new Error(`operators may not ${method} ${path}${object}: ${response.status}: ${why}`);
  }
}

const contentTypeOf = (method: string, body: unknown): string => {
  if (method !== "PATCH") return "application/json";
  return Array.isArray(body) ? "application/json-patch+json" : "application/merge-patch+json";
};

/** The merge patch that makes `after` of `before`; undefined where they are the same. */
function differences(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name], after[name]];
    if (sameJson(was, is)) continue;
    if (isObject(was) && isObject(is)) {
      const inner = differences(was, is);
      if (inner) patch[name] = inner;
    } else patch[name] = is ?? null;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}
