import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { systemClock } from "../core/clock.ts";
import { hubDirectory } from "../core/hub/directory.ts";
import { fileSecrets } from "../core/secrets/file.ts";
import { openSqliteStore } from "../core/store/sqlite.ts";
import { createApp } from "../functions/api/app.ts";
import { principalOf } from "../functions/api/principal.ts";
import { ScaledClock } from "../sim/clock.ts";
import { controlApi } from "../sim/control.ts";
import { openDatabase } from "../sim/database.ts";
import { seedWorld } from "../sim/seed.ts";
import { openWorld } from "../sim/world.ts";
import { sagas } from "../statemachines/index.ts";
import { withFaults } from "./faults.ts";
import { type Claims, tokenCheck } from "./gateway.ts";
import { hubAgents } from "./hub-agents.ts";
import { openIssuer } from "./issuer.ts";
import { fileLog } from "./log.ts";
import { openPlatform } from "./platform.ts";
import { seedCatalog, tenants } from "./seed.ts";
import { type Listener, serve } from "./serve.ts";

export interface SlipwayOptions {
  /** The data folder; made if it is not there. */
  data: string;
  /** Of the API; 0 for any, and the same again after a restart. */
  port: number;
  /** Simulated seconds per second. */
  speed: number;
  profile: "slipway" | "osac";
}

export interface Slipway {
  url: string;
  stop(): Promise<void>;
}

/** Longest run of a worker, in real milliseconds; short, since nothing here is far away. */
const workerTimeout = 10_000;

/** Starts everything of local mode in this process: Slipway, what AWS is to it, and the world. */
export async function startSlipway(options: SlipwayOptions): Promise<Slipway> {
  const { data } = options;
  mkdirSync(join(data, "hubs"), { recursive: true, mode: 0o700 });
  const log = fileLog(join(data, "slipway.log"));
  const database = openDatabase(join(data, "world.db"));
  const clock = new ScaledClock({ database, speed: options.speed });
  const wall = systemClock;
  const random = Math.random;
  const store = openSqliteStore(join(data, "slipway.db"));
  const secrets = fileSecrets({ file: join(data, "secrets.json"), key: join(data, "secrets.key") });
  const world = openWorld({ database, clock, wall, random, sockets: true });
  await world.start();
  await seedWorld(world);

  const platform = openPlatform({
    store,
    workflows: join(data, "workflows.db"),
    clock,
    wall,
    random,
    secrets,
    hubs: hubDirectory({ store, secrets, wall }),
    sagas,
    log,
    workerTimeout,
    invoke: withFaults(world.faults, clock),
  });

  const listeners: Listener[] = [];
  /** On the port it had before, when none is asked for. */
  const listen = async (
    name: string,
    fetch: Parameters<typeof serve>[0],
    port = 0,
  ): Promise<string> => {
    const before = Number(store.setting(`port#${name}`) ?? 0);
    const listener = await serve(fetch, port || before).catch((error) => {
      if (port !== 0 || before === 0) throw error;
      return serve(fetch, 0);
    });
    store.setSetting(`port#${name}`, String(listener.port));
    listeners.push(listener);
    return listener.url;
  };

  // The issuer's URL is in its tokens, so it is known only once it listens.
  let answerIssuer: (request: Request) => Response = () => new Response(null, { status: 503 });
  const issuerUrl = await listen("issuer", (request) => answerIssuer(request));
  const issuer = await openIssuer({ url: issuerUrl, keyFile: join(data, "issuer.pem") });
  answerIssuer = issuer.fetch;

  const app = createApp(platform.deps, {
    profile: options.profile,
    issuer: issuerUrl,
    principal: ({ env }: { env: { claims?: Claims } }) => env.claims && principalOf(env.claims),
  });
  await seedCatalog({ app, secrets, world });
  const check = tokenCheck(issuer);
  const url = await listen(
    "api",
    async (request) =>
      app.fetch(request, { claims: await check(request) } satisfies Partial<HttpBindings> & {
        claims: Claims | undefined;
      }),
    options.port,
  );
  const agents = hubAgents({ clock, wall, random, log, report: platform.report });
  for (const { id, kubeconfig } of world.hubs())
    if (kubeconfig !== undefined) agents.add({ id, kubeconfig });
  platform.start();

  const describe = {
    api: url,
    console: null,
    sim: await listen("sim", controlApi(world)),
    stepfunctions: await listen("stepfunctions", platform.stepFunctions),
    issuer: issuerUrl,
    tokens: {
      admin: await issuer.token({
        sub: "admin",
        preferred_username: "admin",
        roles: ["provider-admin"],
      }),
      ...Object.fromEntries(
        await Promise.all(
          tenants.map(async (tenant) => [
            tenant,
            await issuer.token({
              sub: `${tenant}-user`,
              preferred_username: `${tenant}-user`,
              organization: [tenant],
              roles: ["tenant-admin"],
            }),
          ]),
        ),
      ),
    },
    hubs: world.hubs().map(({ id, kubeconfig }) => {
      const path = join(data, "hubs", `${id}.kubeconfig`);
      writeFileSync(path, kubeconfig ?? "", { mode: 0o600 });
      return { id, kubeconfig: path };
    }),
  };
  writeFileSync(join(data, "dev.json"), `${JSON.stringify(describe, null, 2)}\n`, { mode: 0o600 });

  return {
    url,
    async stop() {
      await Promise.all(listeners.map((listener) => listener.close()));
      await agents.stop();
      await platform.stop();
      await world.stop();
      clock.stop();
      store.close();
      database.close();
    },
  };
}
