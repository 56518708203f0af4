import { Hono } from "hono";
import * as z from "zod";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { SimulatedCeph } from "./ceph.ts";
import { DomainError, errorResponse, ManagerError } from "./error.ts";
import { images } from "./images.ts";
import { namespaces } from "./namespaces.ts";
import { bodyOf, requireVersion } from "./request.ts";
import { users } from "./users.ts";

/** The REST API of Ceph's manager, as Tentacle (20.2) answers. */
export function cephApi(ceph: SimulatedCeph): FetchHandler {
  const app = new Hono();

  app.post("/api/auth", async (c) => {
    requireVersion(c.req.raw);
    const body = await bodyOf(c.req.raw, z.object({ username: z.string(), password: z.string() }));
    if (body.username !== ceph.username || body.password !== ceph.password) {
      throw new DomainError("Invalid credentials", "invalid_credentials", "auth");
    }
    const session = {
      token: ceph.newToken(),
      username: body.username,
      permissions: {
        "config-opt": ["create", "delete", "read", "update"],
        monitor: ["read"],
        "rbd-image": ["create", "delete", "read", "update"],
      },
      pwdExpirationDate: null,
      sso: false,
      pwdUpdateRequired: false,
    };
    return c.json(session, 201);
  });

  app.use("/api/*", async (c, next) => {
    const token = /^Bearer (\S+)$/.exec(c.req.header("authorization") ?? "")?.[1];
    if (token === undefined || !ceph.isValid(token)) {
      throw new ManagerError(401, "You are not authorized to access that resource");
    }
    const isRead = c.req.method === "GET" && !c.req.path.startsWith("/api/cluster/user");
    if (ceph.role === "read-only" && !isRead)
      throw new ManagerError(403, "You don't have permissions to access that resource");
    await next();
  });
  app.post("/api/auth/logout", (c) => {
    requireVersion(c.req.raw);
    ceph.records.removeToken(c.req.header("authorization")?.replace("Bearer ", "") ?? "");
    return c.json({ redirect_url: "#/login" });
  });

  app.get("/api/monitor", (c) => {
    requireVersion(c.req.raw);
    return c.json(monitors(ceph));
  });
  app.route("/api/block/pool/:pool/namespace", namespaces(ceph));
  app.route("/api/block/image", images(ceph));
  app.route("/api/cluster/user", users(ceph));

  app.notFound((c) =>
    errorResponse(new ManagerError(404, `The path '${c.req.path}' was not found.`)),
  );
  app.onError((error) => errorResponse(error));
  return async (request) => app.fetch(request);
}

function monitors({ fsid, monitors: addresses }: SimulatedCeph): object {
  const mons = addresses.map((address, rank) => ({
    rank,
    name: String.fromCharCode("a".charCodeAt(0) + rank),
    public_addrs: {
      addrvec: [
        { type: "v2", addr: `${address}:3300`, nonce: 0 },
        { type: "v1", addr: `${address}:6789`, nonce: 0 },
      ],
    },
    addr: `${address}:6789/0`,
    public_addr: `${address}:6789/0`,
    priority: 0,
    weight: 0,
    stats: { num_sessions: [] },
  }));
  const quorum = mons.map(({ rank }) => rank);
  return {
    mon_status: { name: "a", rank: 0, state: "leader", quorum, monmap: { epoch: 1, fsid, mons } },
    in_quorum: mons,
    out_quorum: [],
  };
}
