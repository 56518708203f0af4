import * as z from "zod";
import { AppError } from "../../../error.ts";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../../http.ts";
import { refusePage } from "../../../http-body.ts";
import type { Keystone } from "../../openstack/keystone.ts";
import { NeutronRefusal, neutronError } from "./error.ts";
import {
  collectionPathOf,
  type NeutronCollection,
  type ObjectIn,
  parseObject,
  singular,
} from "./objects.ts";

/** Attributes to match; a list matches any of its values. */
export type NeutronFilter = Record<string, string | string[]>;

/** Objects on one page of a list; the server may have a lower limit. */
const pageSize = 200;

/** How often a list may start over. */
const mostLists = 5;

/** Slipway's calls of Neutron v2.0. They throw Unavailable (also `Exhausted`), `Taken` or NeutronRefusal. */
export class NeutronApi {
  readonly #keystone: Keystone;
  readonly #http: Omit<HttpOptions, "system" | "url">;

  constructor(keystone: Keystone, http: Omit<HttpOptions, "system" | "url">) {
    this.#keystone = keystone;
    this.#http = http;
  }

  /** All objects that match, oldest first. */
  async list<C extends NeutronCollection>(
    collection: C,
    filter: NeutronFilter = {},
  ): Promise<ObjectIn<C>[]> {
    for (let tries = 0; tries < mostLists; tries++) {
      const found = await this.#listOnce(collection, filter);
      if (found)
        return found.toSorted((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id));
    }
    throw new AppError("Unavailable", `the fabric's list of ${collection} changes all the time`);
  }

  /** Undefined if a page's last object was removed before the next page was read. */
  async #listOnce<C extends NeutronCollection>(
    collection: C,
    filter: NeutronFilter,
  ): Promise<ObjectIn<C>[] | undefined> {
    const found: ObjectIn<C>[] = [];
    let marker: string | undefined;
    let pages = 0;
    do {
      refusePage(++pages, `the fabric's list of ${collection}`);
      const page = await this.#page(collection, filter, marker);
      if (!page) return undefined;
      found.push(...page.objects);
      marker = page.hasMore ? page.objects.at(-1)?.id : undefined;
    } while (marker !== undefined);
    return found;
  }

  /**
   * The page after a marker. If the marker's object is gone, some of Neutron's lists answer an error, some
   * start over and some end, so the marker is looked up afterwards.
   */
  async #page<C extends NeutronCollection>(
    collection: C,
    filter: NeutronFilter,
    marker: string | undefined,
  ) {
    const query = new URLSearchParams(
      Object.entries(filter).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      ),
    );
    query.set("limit", String(pageSize));
    const path = collectionPathOf(collection);
    if (marker === undefined) return this.#pageAt(collection, `${path}?${query}`);
    query.set("marker", marker);
    const page = await this.#pageAt(collection, `${path}?${query}`).catch(noSuchMarker);
    const known = page && (await this.#pageAt(collection, `${path}?id=${marker}&limit=1`));
    return known && known.objects.length > 0 ? page : undefined;
  }

  async #pageAt<C extends NeutronCollection>(collection: C, path: string) {
    const reply = await this.#ask({ method: "GET", path });
    return understood(reply, (body) => pageOf(collection, body));
  }

  /** The roles of the credential. */
  async roles(): Promise<readonly string[]> {
    return (await this.#keystone.session()).roles;
  }

  async create<C extends NeutronCollection>(collection: C, body: object): Promise<ObjectIn<C>> {
    const reply = await this.#ask({
      method: "POST",
      path: collectionPathOf(collection),
      body: { [singular(collection)]: body },
    });
    return understood(reply, (answer) => objectOf(collection, answer));
  }

  async update<C extends NeutronCollection>(
    collection: C,
    id: string,
    body: object,
  ): Promise<ObjectIn<C>> {
    const reply = await this.#ask({
      method: "PUT",
      path: `${collectionPathOf(collection)}/${id}`,
      body: { [singular(collection)]: body },
    });
    return understood(reply, (answer) => objectOf(collection, answer));
  }

  /** Removes an object; succeeds if it does not exist. */
  async remove(collection: NeutronCollection, id: string): Promise<void> {
    await this.#ask({ method: "DELETE", path: `${collectionPathOf(collection)}/${id}` }).catch(
      absent,
    );
  }

  /** Replaces all tags of an object. */
  async tag(collection: NeutronCollection, id: string, tags: string[]): Promise<void> {
    await this.#ask({
      method: "PUT",
      path: `${collectionPathOf(collection)}/${id}/tags`,
      body: { tags },
    });
  }

  async addRouterInterface(router: string, subnet: string): Promise<void> {
    const path = `/v2.0/routers/${router}/add_router_interface`;
    await this.#ask({ method: "PUT", path, body: { subnet_id: subnet } });
  }

  /** Disconnects a router from a subnet; succeeds if they are not connected. */
  async removeRouterInterface(router: string, subnet: string): Promise<void> {
    const path = `/v2.0/routers/${router}/remove_router_interface`;
    await this.#ask({ method: "PUT", path, body: { subnet_id: subnet } }).catch(absent);
  }

  /** Sends a request with a token, and again with a new token if the first is refused. */
  async #ask(request: HttpRequest): Promise<HttpReply> {
    const session = await this.#keystone.session();
    let reply = await this.#send(request, session);
    if (reply.status === 401) {
      await this.#keystone.forget(session.token);
      reply = await this.#send(request, await this.#keystone.session());
    }
    if (reply.status < 200 || reply.status > 299) throw neutronError(reply);
    return reply;
  }

  #send(request: HttpRequest, { token, endpoint }: { token: string; endpoint: string }) {
    const headers = { accept: "application/json", "x-auth-token": token };
    return ask({ ...this.#http, system: "the fabric", url: endpoint }, { ...request, headers });
  }
}

const bodySchema = z.record(z.string(), z.unknown());
const itemsSchema = z.array(z.unknown());
const linksSchema = z.array(z.object({ rel: z.string() })).default([]);

function pageOf<C extends NeutronCollection>(collection: C, body: unknown) {
  const { [collection]: items, [`${collection}_links`]: links } = bodySchema.parse(body);
  return {
    objects: itemsSchema.parse(items).map((item) => parseObject(collection, item)),
    hasMore: linksSchema.parse(links).some(({ rel }) => rel === "next"),
  };
}

function objectOf<C extends NeutronCollection>(collection: C, body: unknown): ObjectIn<C> {
  return parseObject(collection, bodySchema.parse(body)[singular(collection)]);
}

function understood<T>({ json }: HttpReply, parse: (body: unknown) => T): T {
  try {
    return parse(json);
  } catch (error) {
    const message = "the fabric's answer is malformed";
    throw new AppError("Unavailable", message, { detail: String(error), cause: error });
  }
}

function noSuchMarker(error: unknown): undefined {
  if (!(error instanceof NeutronRefusal && [400, 404].includes(error.status))) throw error;
}

function absent(error: unknown): void {
  if (!(error instanceof NeutronRefusal && error.status === 404)) throw error;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
