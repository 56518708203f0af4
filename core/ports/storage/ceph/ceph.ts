import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { HttpReply, HttpRequest } from "../../../http.ts";
import type { TaggedOwner } from "../../owner.ts";
import type { Storage, StorageAccess, StorageObject, StorageObservation } from "../storage.ts";
import { CephApi, type CephApiOptions } from "./api.ts";
import { cephError, refusalIn } from "./error.ts";
import { cephName, parseCephName } from "./name.ts";

export interface CephOptions extends CephApiOptions {
  /** The pool in which each owner gets an RBD namespace. */
  pool: string;
}

const namespacesSchema = z.array(z.object({ namespace: z.string(), num_images: z.number() }));
const imagesSchema = z.array(
  z.object({ value: z.array(z.object({ name: z.string(), namespace: z.string().nullish() })) }),
);
/** The manager's list of users. The schema drops their keys. */
const usersSchema = z.array(z.object({ entity: z.string() }));
const monitorsSchema = z.object({
  mon_status: z.object({
    monmap: z.object({
      fsid: z.string(),
      mons: z.array(
        z.object({
          public_addrs: z.object({
            addrvec: z.array(z.object({ type: z.string(), addr: z.string() })),
          }),
        }),
      ),
    }),
  }),
});

/** The messages of Reef and of Tentacle. */
const hasOtherRights = /caps do not match|cap \S+ does not match/;

const noSuchEntity = 2;
const invalid = 22;

/**
 * Ceph, through its manager: an RBD namespace for each owner, with a user that can access no other. Users are
 * read one by one (`export`), because the list of all users contains all keys; only the sweep for orphans
 * reads that list.
 */
export class Ceph implements Storage {
  readonly #pool: string;
  readonly #api: CephApi;

  constructor(options: CephOptions) {
    this.#pool = options.pool;
    this.#api = new CephApi(options);
  }

  async ensure(owner: TaggedOwner): Promise<void> {
    const namespace = cephName(owner);
    const made = await this.#api.send({
      method: "POST",
      path: this.#namespaces,
      body: { namespace },
    });
    // The namespace's name contains the owner's id, so an existing one is ours.
    if (refusalIn(made)?.code !== "namespace_already_exists") this.#expect(made, "its namespace");
    await this.#ensureUser(namespace);
  }

  async observe(owner: TaggedOwner): Promise<StorageObservation> {
    const namespace = await this.#namespace(cephName(owner));
    const user = await this.#user(cephName(owner));
    const done = namespace !== undefined && user !== undefined;
    return { state: done ? "done" : "missing", volumes: namespace?.num_images ?? 0 };
  }

  async access(owner: TaggedOwner): Promise<StorageAccess | undefined> {
    const name = cephName(owner);
    const key = await this.#user(name);
    if (key === undefined || !(await this.#namespace(name))) return undefined;
    const request: HttpRequest = { method: "GET", path: "/api/monitor" };
    const { fsid, mons } = (await this.#read(request, monitorsSchema)).mon_status.monmap;
    const monitors = mons.flatMap(({ public_addrs: { addrvec } }) => {
      // Every client supports protocol version 1; version 2 is not always available.
      const chosen = addrvec.find(({ type }) => type === "v1") ?? addrvec[0];
      return chosen ? [chosen.addr] : [];
    });
    return { clusterId: fsid, monitors, pool: this.#pool, namespace: name, user: name, key };
  }

  async removeVolumes(owner: TaggedOwner): Promise<void> {
    const name = cephName(owner);
    if (!(await this.#namespace(name))) return;
    for (const image of await this.#images(name)) {
      const spec = encodeURIComponent(`${this.#pool}/${name}/${image}`);
      const removed = await this.#api.send({ method: "DELETE", path: `/api/block/image/${spec}` });
      // A volume that is already gone counts as removed: 404 since Tentacle, an error number before. A long
      // removal answers 202 and continues in the background.
      const isGone = removed.status === 404 || refusalIn(removed)?.errno === noSuchEntity;
      if (!isGone) this.#expect(removed, "one of its volumes");
    }
  }

  /**
   * The images in a namespace, from the list of the whole pool, in one page. Since Tentacle the list may be
   * half a minute old; `remove` then reports remaining images, and its caller repeats.
   */
  async #images(namespace: string): Promise<string[]> {
    const path = `/api/block/image?pool_name=${encodeURIComponent(this.#pool)}&offset=0&limit=-1`;
    const pools = await this.#read({ method: "GET", path }, imagesSchema, "2.0");
    const images = pools.flatMap(({ value }) => value);
    return images.filter((image) => image.namespace === namespace).map(({ name }) => name);
  }

  async remove(owner: TaggedOwner): Promise<string[]> {
    const name = cephName(owner);
    // Read the namespace first: the manager answers 500 for one that does not exist.
    const namespace = await this.#namespace(name);
    if (namespace) {
      const path = `${this.#namespaces}/${name}`;
      const removed = await this.#api.send({ method: "DELETE", path });
      if (refusalIn(removed)?.code === "namespace_contains_images") {
        // The user stays too: its key is needed to remove the volumes.
        const count = namespace.num_images;
        return [`RBD namespace ${this.#pool}/${name}: ${count > 0 ? count : "some"} images in it`];
      }
      this.#expect(removed, "its namespace");
    }
    // The manager also accepts the deletion of a user that does not exist.
    const path = `/api/cluster/user/${encodeURIComponent(entity(name))}`;
    this.#expect(await this.#api.send({ method: "DELETE", path }), "its user");
    return [];
  }

  async observeAll(): Promise<StorageObject[]> {
    const namespaces = await this.#read(
      { method: "GET", path: this.#namespaces },
      namespacesSchema,
    );
    const users = await this.#read({ method: "GET", path: "/api/cluster/user" }, usersSchema);
    return [
      ...namespaces.flatMap((one) => owned("rbd_namespace", one.namespace)),
      ...users.flatMap(({ entity: full }) => owned("ceph_user", full.replace(/^client\./, ""))),
    ];
  }

  async #ensureUser(name: string): Promise<void> {
    const scope = `profile rbd pool=${this.#pool} namespace=${name}`;
    const reply = await this.#api.send({
      method: "POST",
      path: "/api/cluster/user",
      body: {
        user_entity: entity(name),
        capabilities: [
          { entity: "mon", cap: "profile rbd" },
          { entity: "osd", cap: scope },
          { entity: "mgr", cap: scope },
        ],
      },
    });
    const refusal = refusalIn(reply);
    if (refusal?.errno === invalid && hasOtherRights.test(refusal.detail)) {
      const message = `the storage user ${entity(name)} exists with other rights`;
      throw new AppError("Conflict", message, { detail: refusal.detail });
    }
    this.#expect(reply, "its user");
  }

  async #namespace(name: string): Promise<{ num_images: number } | undefined> {
    const request: HttpRequest = { method: "GET", path: this.#namespaces };
    return (await this.#read(request, namespacesSchema)).find((one) => one.namespace === name);
  }

  /** The user's key; undefined when there is no such user. */
  async #user(name: string): Promise<string | undefined> {
    const reply = await this.#api.send({
      method: "POST",
      path: "/api/cluster/user/export",
      body: { entities: [entity(name)] },
    });
    if (refusalIn(reply)?.errno === noSuchEntity) return undefined;
    this.#expect(reply, "its user");
    const keyring = z.string().safeParse(reply.json).data ?? "";
    const key = /^\s*key = (\S+)$/m.exec(keyring)?.[1];
    if (key === undefined) throw cephError(reply, "its user");
    return key;
  }

  async #read<T>(request: HttpRequest, schema: z.ZodType<T>, version?: string): Promise<T> {
    const reply = await this.#api.send(request, version);
    this.#expect(reply, request.path);
    const parsed = schema.safeParse(reply.json);
    if (!parsed.success) throw cephError(reply, request.path);
    return parsed.data;
  }

  #expect(reply: HttpReply, what: string): void {
    if (reply.status < 200 || reply.status >= 300) throw cephError(reply, what);
  }

  get #namespaces(): string {
    return `/api/block/pool/${encodeURIComponent(this.#pool)}/namespace`;
  }
}

function owned(kind: string, name: string): StorageObject[] {
  const owner = parseCephName(name);
  return owner ? [{ kind, name, owner }] : [];
}

/** The name of a user in Ceph. */
const entity = (name: string): string => `client.${name}`;
