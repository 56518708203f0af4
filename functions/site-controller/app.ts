import { type Context, Hono } from "hono";
import { bodyLimit as limited } from "hono/body-limit";
import * as z from "zod";
import { AppError, type ErrorKind, logged, toAppError } from "../../core/error.ts";
import { parseOrRefuse } from "../../core/kernel/input/parse.ts";
import { healthReportSchema } from "../../core/machine/health-report.ts";
import {
  appliedSchema,
  contractVersion,
  discoverySchema,
  phoneHomeSchema,
  seedParts,
} from "../../core/machine/requests.ts";
import type { ServingDeps } from "../../core/machine/serving.ts";
import { contractPath } from "../../core/machine/urls.ts";
import { bodyLimit, readBody } from "../api/body.ts";
import { TokenBuckets } from "../api/token-buckets.ts";
import { bearerIn } from "../identity/bearer.ts";
import { phoneHomeIn } from "./phone-home.ts";
import { type Session, sessionOf } from "./session.ts";

/**
 * The requests and reports of machines (hosts and DPUs), by tokens of their own (docs/site-controller.md). It
 * serves nothing of the tenants' API. Paths contain tokens, so no path is ever logged or answered.
 */
export function siteController(deps: ServingDeps): Hono {
  const app = new Hono().basePath(contractPath);
  const buckets = new TokenBuckets(perSecond);
  const by = async (c: Context, request: Session["request"]) => {
    const token = c.req.param("token") ?? bearerIn(c.req.header("Authorization")) ?? "";
    // Limited before anything is read. Each machine has its own token, so none uses up another's limit.
    refuseOften(buckets, token, deps.clock.now());
    return sessionOf(deps, request, token);
  };
  app.use(limited({ maxSize: bodyLimit, onError: (c) => c.body(null, 413) }));

  app.get("/health", (c) => c.json({ version: contractVersion }));

  app.get("/boot/:token/ipxe.efi", async (c) => c.redirect(await (await by(c, "boot")).loader()));

  // iPXE requests a file of this name beside the one that it was loaded from.
  for (const path of ["/boot/:token", "/boot/:token/autoexec.ipxe"])
    app.get(path, async (c) => {
      const session = await by(c, "boot");
      const address = z.ipv4().safeParse(c.req.query("address")).data;
      const script = await session.boot(address);
      await session.report({ of: "boot", ...(address !== undefined && { address }) });
      return c.text(script);
    });

  app.get("/seed/:token/:part", async (c) => {
    const session = await by(c, "seed");
    const part = seedParts.find((name) => name === c.req.param("part"));
    const text = part && (await session.seed(part));
    if (part === undefined || text === undefined) return c.body(null, 404);
    await session.report({ of: "seed", part });
    return c.text(text);
  });

  app.post("/phone-home/:token", async (c) => {
    const session = await by(c, "phone_home");
    const report = parseOrRefuse(phoneHomeSchema, await phoneHomeIn(c.req));
    await session.report({ of: "phone_home", ...report });
    return c.body(null, 204);
  });

  app.post("/discovery", async (c) => {
    const session = await by(c, "discovery");
    const report = parseOrRefuse(discoverySchema, await readBody(c.req));
    await session.report({ of: "discovery", ...report });
    return c.body(null, 204);
  });

  app.get("/network", async (c) => {
    const session = await by(c, "network");
    const wanted = await session.network();
    const tag = `"${wanted.version}"`;
    const headers = { ETag: tag };
    if (c.req.header("If-None-Match") === tag) return c.body(null, 304, headers);
    return c.json(wanted, 200, headers);
  });

  app.put("/network/applied", async (c) => {
    const session = await by(c, "applied");
    const report = parseOrRefuse(appliedSchema, await readBody(c.req));
    await session.report({ of: "applied", ...report });
    return c.body(null, 204);
  });

  app.post("/health", async (c) => {
    const session = await by(c, "health");
    const report = parseOrRefuse(healthReportSchema, await readBody(c.req));
    await session.report({ of: "health", ...report });
    return c.body(null, 204);
  });

  app.notFound((c) => c.body(null, 404));
  app.onError((thrown, c) => refused(deps, c, toAppError(thrown)));
  return app;
}

/** Requests per second of a machine, and ten seconds' worth at once: a start takes about ten requests. */
const perSecond = 5;

/** Throws RateLimited for a token over its limit. Buckets are in this process's memory, as for tenants. */
function refuseOften(buckets: TokenBuckets, token: string, now: number): void {
  const wait = buckets.wait(token, now);
  if (wait === 0) return void buckets.take(token, now);
  const message = `too many requests of a machine: the limit is ${perSecond} a second`;
  throw new AppError("RateLimited", message, { retryAfter: Math.ceil(wait / 1000) });
}

/** The kinds of error in answers to machines; after any other, the machine waits and tries again. */
const statuses: Partial<Record<ErrorKind, 400 | 403 | 404>> = {
  Invalid: 400,
  Forbidden: 403,
  NotFound: 404,
};

function refused(deps: ServingDeps, c: Context, error: AppError): Response {
  const status = statuses[error.kind];
  if (status === 404) return c.body(null, 404);
  if (status !== undefined) return c.json({ message: error.message }, status);
  if (error.kind === "Internal") deps.log.error(logged(error), "a machine's request failed");
  return c.body(null, error.kind === "RateLimited" ? 429 : 503, {
    "Retry-After": String(error.retryAfter),
  });
}
