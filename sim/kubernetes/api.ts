import type { X509Certificate } from "node:crypto";
import { type Clock, systemClock } from "../../core/clock.ts";
import { isDiskFull } from "../../core/kernel/store/disk-full.ts";
import { type Attributes, requireAllowed, type User, type Verb, verbOf } from "./authorization.ts";
import { clientOf } from "./client-certificate.ts";
import type { KubeCluster } from "./cluster.ts";
import { discovery } from "./discovery.ts";
import type { ResourceKind } from "./object.ts";
import { openApi } from "./openapi.ts";
import { masters } from "./rbac.ts";
import { getObject, listObjects } from "./read.ts";
import { KindRegistry } from "./registry.ts";
import { json, statusResponse } from "./representation.ts";
import { review } from "./reviews.ts";
import { parseRoute, type Route } from "./routes.ts";
import { installedKinds, type Lack, notInitialized, notInstalled } from "./start-up.ts";
import {
  forbiddenPath,
  internalError,
  KubeError,
  methodNotAllowed,
  serviceUnavailable,
  unauthorized,
} from "./status.ts";
import {
  createObject,
  deleteCollection,
  deleteObject,
  patchObject,
  updateObject,
} from "./write.ts";

export interface ApiOptions {
  /** The user of a bearer token; a name means a user without groups; undefined refuses the token. */
  authenticate(token: string): User | string | undefined;
  /** The authorities (PEM) whose client certificates are accepted now; none by default. */
  clientAuthority?(): string | undefined;
  /** Whether the user has the right; all users have all rights by default. */
  authorize?(attributes: Attributes): boolean;
  /** Whether a kind is served now; all are by default. */
  serves?(kind: ResourceKind): boolean;
  /** What the server still lacks after its start; nothing by default. */
  lacks?(): Lack | undefined;
  /** Runs the admission webhooks; throws their refusal. */
  admit?(verb: Verb, route: Route): void | Promise<void>;
  /** The clock of watches. */
  wall?: Clock;
}

/** The client at a socket. */
export interface Peer {
  /** The client's certificate, not verified yet. */
  certificate: X509Certificate | undefined;
  /** Cuts the connection. */
  cut(): void;
}

export type FetchHandler = (request: Request) => Promise<Response>;
export type ServerHandler = (request: Request, peer?: Peer) => Promise<Response>;

/**
 * The Kubernetes API of a cluster as a fetch-style handler. Written by hand: the real server is not an npm package, and
 * supports neither simulated time nor injected faults.
 */
export function kubernetesApi(cluster: KubeCluster, options: ApiOptions): ServerHandler {
  return async (request, peer) => {
    try {
      return await answer(cluster, options, request, peer);
    } catch (error) {
      if (error instanceof KubeError) return statusResponse(error.status);
      // The full disk is the laptop's own, not the simulated server's. The error ends when there is room.
      if (isDiskFull(error))
        return statusResponse(serviceUnavailable("the disk of the simulated world is full").status);
      const message = error instanceof Error ? error.message : String(error);
      return statusResponse(internalError(message).status);
    }
  };
}

async function answer(
  cluster: KubeCluster,
  options: ApiOptions,
  request: Request,
  peer?: Peer,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (/^\/(healthz|livez|readyz)$/.test(pathname)) return new Response("ok");

  const user = clientIn(cluster, options, peer) ?? userOf(options, request);
  if (user === undefined) throw unauthorized();
  const lack = options.lacks?.();
  const forbidden =
    lack === "rights" && !user.groups.includes(masters)
      ? forbiddenPath(user.name, request.method, pathname)
      : undefined;
  const reviewed = forbidden ? undefined : await review(pathname, request, { user, ...options });
  if (reviewed) return json(reviewed, 201);

  const { serves = () => true } = options;
  const kinds =
    options.serves || lack
      ? new KindRegistry(installedKinds(cluster.kinds.all.filter(serves), lack))
      : cluster.kinds;
  const document = discovery(pathname, kinds) ?? openApi(pathname, kinds);
  if (document) {
    if (request.method !== "GET") throw methodNotAllowed();
    if (forbidden) throw forbidden;
    return json(document);
  }
  const early = lack === "paths" ? notInstalled() : undefined;
  const route = routeOf(pathname, kinds, forbidden ?? early);
  const verb = verbOf(request, route);
  requireAllowed({ user, verb, route }, forbidden ? () => false : options.authorize);
  if (lack === "objects" && (verb === "list" || verb === "watch")) throw notInitialized();
  await options.admit?.(verb, route);
  return dispatch(cluster, route, request, options.wall ?? systemClock);
}

/** The route of a path. Throws `early` instead of 404, if given. */
function routeOf(pathname: string, kinds: KindRegistry, early: KubeError | undefined): Route {
  try {
    return parseRoute(pathname, kinds);
  } catch (error) {
    throw early ?? error;
  }
}

function clientIn(
  { clock }: KubeCluster,
  { clientAuthority }: ApiOptions,
  peer?: Peer,
): User | undefined {
  const { certificate } = peer ?? {};
  const authority = certificate && clientAuthority?.();
  return authority ? clientOf(certificate, authority, clock.now()) : undefined;
}

function userOf({ authenticate }: ApiOptions, request: Request): User | undefined {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const user = token === undefined ? undefined : authenticate(token);
  return typeof user === "string" ? { name: user, groups: [] } : user;
}

function dispatch(
  cluster: KubeCluster,
  route: Route,
  request: Request,
  wall: Clock,
): Response | Promise<Response> {
  const { name, namespace, subresource } = route;
  if (name === undefined) {
    if (request.method === "GET") return listObjects(cluster, route, request, wall);
    // Objects of a namespaced kind can only be written within a namespace.
    const scoped = !route.kind.namespaced || namespace !== undefined;
    if (request.method === "POST" && scoped) return createObject(cluster, route, request);
    if (request.method === "DELETE" && scoped) return deleteCollection(cluster, route, request);
    throw methodNotAllowed();
  }
  const target = { ...route, name };
  switch (request.method) {
    case "GET":
      return getObject(cluster, target, request);
    case "PUT":
      return updateObject(cluster, target, request);
    case "PATCH":
      return patchObject(cluster, target, request);
    case "DELETE":
      if (subresource) throw methodNotAllowed();
      return deleteObject(cluster, target, request);
    default:
      throw methodNotAllowed();
  }
}
