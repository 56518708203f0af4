import { join } from "node:path";
import type { Context } from "hono";
import { siteDirectory } from "../core/at-site/directory.ts";
import { systemClock } from "../core/clock.ts";
import type { DefaultQuota } from "../core/kernel/claim/quota.ts";
import type { WatchLimits } from "../core/kernel/events/watch-slots.ts";
import { openSqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import { contractPath } from "../core/machine/urls.ts";
import { guestDirectory } from "../core/ports/guest/directory.ts";
import { fileSecrets } from "../core/ports/secrets/file.ts";
import { httpsTransport } from "../core/ports/webhook/https.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { operated } from "../core/resources/generated/operated.ts";
import { serverDirectory } from "../core/resources/host/directory.ts";
import { hubDirectory } from "../core/resources/hub/directory.ts";
import { relaying } from "../core/resources/relaying.ts";
import type { TenantPolicy } from "../core/resources/tenant/model.ts";
import { createApp } from "../functions/api/app.ts";
import { eventRoutes } from "../functions/api/events.ts";
import type { RateLimits } from "../functions/api/rate-limits.ts";
import type { AppOptions } from "../functions/api/serving.ts";
import { bearerIn } from "../functions/identity/bearer.ts";
import type { Claims } from "../functions/identity/claims.ts";
import type { IssuerOptions } from "../functions/identity/issuers.ts";
import { principalOf } from "../functions/identity/principal.ts";
import { siteController } from "../functions/site-controller/app.ts";
import { ScaledClock } from "../sim/clock.ts";
import { controlApi } from "../sim/control.ts";
import { openDatabase } from "../sim/database.ts";
import { serveNames } from "../sim/dns/server.ts";
import { durations } from "../sim/durations.ts";
import { makeAuthority } from "../sim/kubernetes/certificates.ts";
import { seedWorld, type WorldServers } from "../sim/seed.ts";
import type { SiteEffects } from "../sim/site-effects.ts";
import { openWorld } from "../sim/world.ts";
import { sagas } from "../statemachines/index.ts";
import { depsOf, heldHubs, heldSecrets, heldStore } from "./as-deployed.ts";
import { localConsole } from "./console.ts";
import { writeDevJson } from "./dev-json.ts";
import { watchDisk } from "./disk.ts";
import { withFaults, withFaultyPhases } from "./faults.ts";
import { localVerifier } from "./gateway.ts";
import { HubAgents } from "./hub-agents.ts";
import { issuerWithHubTokens } from "./hub-tokens.ts";
import { openIssuer } from "./issuer.ts";
import { Listeners } from "./listeners.ts";
import { fileLog } from "./log.ts";
import { paths } from "./login/metadata.ts";
import { awayFromPages } from "./pages.ts";
import { openPlatform } from "./platform.ts";
import { seedCatalog, seedNetworks, seedOffers, seedServers } from "./seed.ts";
import { siteSh } from "./site-sh.ts";
import { turns } from "./turns.ts";

export interface SlipwayOptions {
  /** The data folder, which exists. */
  data: string;
  /** The port of the API. 0 means any, which a restart uses again. */
  port: number;
  /** The first port for the other servers, and for the API where its port may be any; any when absent or 0. */
  firstPort?: number;
  /** Simulated seconds per second. */
  speed: number;
  /** The time limit of a worker's run, in milliseconds of real time. */
  workerTimeout: number;
  /** The state of the hosts in a new world; `on` by default. */
  servers?: WorldServers;
  /** Whether the hubs, the site and the hosts of a new world are registered; they are by default. */
  site?: "registered" | "empty";
  /** What systems outside of the simulation do to the world's machines. */
  effects?: SiteEffects;
  profile: "slipway" | "osac";
  defaultQuota?: DefaultQuota;
  tenants?: TenantPolicy;
  /** The rate limits of callers; no limits when absent. */
  limits?: RateLimits;
  /** The most watches at a time; no limit when absent. */
  watchLimits?: WatchLimits;
  /** Origins that browsers may call from. */
  origins: readonly string[];
  /** Whether webhooks may be sent to this machine. */
  loopbackWebhooks: boolean;
  /** Further issuers whose tokens are accepted. */
  issuers?: readonly IssuerOptions[];
  /** Prints a line for the person at the terminal. */
  say(line: string): void;
}

export interface Slipway {
  url: string;
  /** The address of the login. */
  login: string;
  /** The path of its log. */
  log: string;
  stop(): Promise<void>;
}

/** What the server knows of a request besides its content. */
interface Bindings {
  source?: string;
  /** The claims of the code that seeds the laptop, which calls without a token. */
  claims?: Claims;
}

/** Separate, because on AWS machines have a route of their own. */
const isOfMachine = ({ url }: Request): boolean =>
  new URL(url).pathname.startsWith(`${contractPath}/`);

/** Separate, because on AWS watches have a function of their own. */
const isWatch = ({ method, url }: Request): boolean =>
  eventRoutes.some((route) => route.method === method && route.path === new URL(url).pathname);

/** The number of ports for servers other than the API servers of hubs and hosted clusters: ten are in use. */
const ownPorts = 16;

/** Starts everything of local mode in this process: Slipway, its part of AWS, and the world. */
export async function startSlipway(options: SlipwayOptions): Promise<Slipway> {
  const { data, firstPort = 0 } = options;
  const logPath = join(data, "slipway.log");
  const log = fileLog(logPath);
  const database = openDatabase(join(data, "world.db"));
  // The clock is paused until everything runs, so that a slow start does not use up deadlines.
  const clock = new ScaledClock({ database, speed: options.speed, paused: true });
  const wall = systemClock;
  const random = Math.random;
  const disk = watchDisk({
    folder: data,
    wall,
    full(message) {
      clock.pause();
      options.say(message);
    },
    room(message) {
      clock.run();
      options.say(message);
    },
  });
  const store = openSqliteStore(join(data, "slipway.db"));
  const stored = fileSecrets({ file: join(data, "secrets.json"), key: join(data, "secrets.key") });
  const secrets = heldSecrets(stored);
  const held = heldStore(store);
  const world = openWorld({
    ...{ database, clock, wall, random, sockets: true },
    firstPort: firstPort && firstPort + ownPorts,
    startUp: durations.startUp,
    ...(options.effects && { effects: options.effects }),
  });
  await world.start();
  await seedWorld(world, options.site === "empty" ? "off" : options.servers);

  const hubs = heldHubs(hubDirectory({ store: held, kinds, secrets, clock, wall }));
  const sites = siteDirectory({ store: held, kinds, secrets, wall });
  const faulty = withFaults(world.faults, clock);
  const platform = openPlatform({
    kinds,
    operated,
    relaying,
    store,
    held,
    workflows: join(data, "workflows.db"),
    clock,
    wall,
    random,
    secrets,
    hubs,
    sites,
    servers: serverDirectory({
      store: held,
      kinds,
      secrets,
      sites,
      hubs,
      wall,
      fetch: world.fetch,
    }),
    guests: guestDirectory({ hubs, wall }),
    webhooks: httpsTransport({ wall, loopback: options.loopbackWebhooks }),
    sagas: withFaultyPhases(sagas, faulty),
    log,
    workerTimeout: options.workerTimeout,
    turn: turns(),
    ...(options.defaultQuota ? { defaultQuota: options.defaultQuota } : {}),
    ...(options.tenants ? { tenants: options.tenants } : {}),
    invoke: faulty,
  });

  const listeners = new Listeners(store, { firstPort });
  const { handlers } = world.site;
  const siteUrls = {
    fabric: await listeners.listen("fabric", handlers.fabric),
    dhcp: await listeners.listen("dhcp", handlers.dhcp),
    dns: await listeners.listen("dns", handlers.dns),
    storage: await listeners.listen("storage", handlers.storage),
  };
  const ironicUrl = await listeners.listen("ironic", world.ironic.handle);
  const nameServer = await serveNames(
    (name, type) => world.site.dns.resolve(name, type),
    Number(store.setting("port#names") ?? firstPort),
  );
  store.setSetting("port#names", String(nameServer.port));
  // The issuer's URL is in its tokens, so it is known only when the issuer listens.
  let answerIssuer = async (_: Request) => new Response(null, { status: 503 });
  const issuerUrl = await listeners.listen("issuer", (request) => answerIssuer(request));
  const issuer = await openIssuer({ url: issuerUrl, file: join(data, "issuer.json") });
  const verify = localVerifier(issuer, options.issuers);
  answerIssuer = issuerWithHubTokens(issuer, verify);

  const watching = {
    ...depsOf("watch", platform.deps),
    ...(options.watchLimits && { watchLimits: options.watchLimits }),
  };
  const issuers = [issuerUrl, ...(options.issuers ?? []).map((other) => other.issuer)];
  const served: AppOptions = {
    profile: options.profile,
    limits: options.limits,
    origins: options.origins,
    login: issuerUrl,
    issuers,
    principal: ({ env, req }: Context<{ Bindings: Bindings }>) => {
      if (env.claims) return principalOf(env.claims);
      const token = bearerIn(req.header("Authorization"));
      return token === undefined ? undefined : verify(token);
    },
    source: ({ env }: { env: Bindings }) => env.source,
    unwritable: () => disk.refusal(),
  };
  const app = createApp(depsOf("api", platform.deps), served);
  const watches = createApp(watching, served);
  const machines = siteController(depsOf("site-controller", platform.deps));
  world.network.siteController = async (request) => machines.fetch(request);
  const consoleAt = localConsole(issuers);
  const gateway = async (request: Request, source: string) => {
    if (isOfMachine(request)) return machines.fetch(request);
    return (
      (await consoleAt(request)) ?? (isWatch(request) ? watches : app).fetch(request, { source })
    );
  };
  // The site's record needs the API's URL: machines use it to reach their part of the API.
  const apiUrl = await listeners.listen("api", gateway, options.port);
  // Seeded once, so that later changes and deletions by the provider persist.
  if (store.setting("seeded") === undefined) {
    if (options.site === "empty") await seedOffers(app, secrets);
    else {
      const authority = await makeAuthority("Slipway's local ingress");
      const nameServers = [nameServer.address];
      const urls = siteUrls;
      await seedCatalog({ app, secrets, world, urls, nameServers, authority, machines: apiUrl });
      await seedNetworks(app, world);
      await seedServers(app);
    }
    store.setSetting("seeded", "yes");
  }
  const agents = new HubAgents(platform.deps, platform.report);
  platform.onRelayed(({ key }) => {
    if (key.pk.startsWith("hub#")) void agents.follow();
  });
  clock.run();
  platform.start();
  await agents.follow();

  const urls = {
    api: apiUrl,
    console: `${apiUrl}/`,
    sim: await listeners.listen("sim", awayFromPages(controlApi(world))),
    stepfunctions: await listeners.listen("stepfunctions", awayFromPages(platform.stepFunctions)),
    issuer: issuerUrl,
  };
  const site = siteSh(world, { ...siteUrls, ironic: ironicUrl }, nameServer.address);
  await writeDevJson(data, { urls, issuer, world, site });

  return {
    url: urls.api,
    login: `${issuerUrl}${paths.device}`,
    log: logPath,
    async stop() {
      // Stops the clock first, so that no simulated time passes during the shutdown.
      clock.stop();
      disk.stop();
      await listeners.close();
      await nameServer.close();
      await agents.stop();
      await platform.stop();
      await world.stop();
      store.close();
      database.close();
    },
  };
}
