import { flushCompileCache } from "node:module";
import { relative } from "node:path";
import { defaultQuotas } from "../core/kernel/claim/quota.ts";
import { tenantPolicies } from "../core/resources/tenant/model.ts";
import { worldServers } from "../sim/seed.ts";
import { lock } from "./lock.ts";
import { whenParentIsGone } from "./parent.ts";
import {
  apiOrigins,
  dataFolder,
  oneOf,
  otherIssuers,
  rateLimits,
  simSpeed,
  watchLimits,
  wholeNumber,
  workerTimeout,
} from "./settings.ts";
import type { Slipway } from "./slipway.ts";

/**
 * `npm run dev`: reads the settings from the environment, prints a line when the API answers, and shuts down cleanly.
 */

// The simulated world stores private keys in clear text, and its folder may be readable for others.
process.umask(0o077);

let slipway: Slipway | undefined;
let isEnding = false;

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);
whenParentIsGone(end);

try {
  const data = dataFolder();
  const port = wholeNumber("PORT", { otherwise: 4400, least: 0, most: 65_535 });
  const firstPort = wholeNumber("SLIPWAY_FIRST_PORT", { otherwise: 0, least: 0, most: 60_000 });
  const profile = oneOf("API_PROFILE", ["slipway", "osac"] as const);
  const defaultQuota = oneOf("DEFAULT_QUOTA", defaultQuotas);
  const tenants = oneOf("TENANTS", tenantPolicies);
  process.once("exit", lock(data));
  const receivers = oneOf("SLIPWAY_LOOPBACK_WEBHOOKS", ["allow", "refuse"] as const);
  const loopbackWebhooks = receivers === "allow";
  const speed = simSpeed();
  const servers = oneOf("SLIPWAY_SERVERS", worldServers);
  const site = oneOf("SLIPWAY_SITE", ["registered", "empty"] as const);
  const issuers = otherIssuers();
  // Loaded only after the settings are valid, since loading takes a second.
  const { startSlipway } = await import("./slipway.ts");
  slipway = await startSlipway({
    ...{
      data,
      port,
      firstPort,
      speed,
      servers,
      site,
      profile,
      defaultQuota,
      tenants,
      loopbackWebhooks,
      issuers,
    },
    workerTimeout: workerTimeout(),
    limits: rateLimits(),
    watchLimits: watchLimits(),
    origins: apiOrigins(),
    say: (line) => console.error(`slipway: ${line}`),
  });
  console.log(`slipway ready ${slipway.url}`);
  console.log(`  reference  ${slipway.url}/docs`);
  console.log(`  login      ${slipway.login}`);
  console.log(`  log        ${relative(".", slipway.log)}`);
  // Writes the compile cache now, so that the next start does not compile again, however this process ends.
  flushCompileCache();
} catch (error) {
  console.error(
    `slipway could not start: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}

function end(): void {
  if (isEnding) return;
  isEnding = true;
  // Ends the process even if the shutdown hangs; nothing is lost, since all data is durable.
  setTimeout(() => process.exit(0), 3000).unref();
  // A Slipway that has not started yet needs no shutdown, because all data is durable.
  void (slipway?.stop() ?? Promise.resolve()).then(() => process.exit(0));
}
