import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { agentValues, instructions } from "./agent-values.ts";
import { hubToken } from "./hub-token.ts";
import { check, register } from "./register-hub.ts";

/**
 * `npm run hubs -- register …`: checks that Slipway can use a hub, registers it, and prints on
 * standard output the values with which the hub agent's chart is installed; everything else goes to
 * standard error. Exits 0 when the hub is registered, 1 when it was refused, 2 when the call is wrong.
 */

const usage = `usage: npm run hubs -- register --name NAME --kubeconfig FILE --region REGION
    [--capacity NUMBER] [--base-domain DOMAIN] [--token-file FILE] [--url URL] [--token TOKEN]
  capacity (hosted control planes) and base domain are needed for a hub that is new
  token-file: the agent's token, where your identity provider issues it
  URL and TOKEN (an administrator's) may come from SLIPWAY_API and SLIPWAY_TOKEN`;

const text = { type: "string" } as const;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: text,
      kubeconfig: text,
      region: text,
      capacity: text,
      "base-domain": text,
      "token-file": text,
      url: text,
      token: text,
    },
  });
  const url = values.url ?? process.env.SLIPWAY_API;
  const token = values.token ?? process.env.SLIPWAY_TOKEN;
  const { name, region, capacity } = values;
  const isRegister = positionals.length === 1 && positionals[0] === "register";
  if (!isRegister || !name || !values.kubeconfig || !region || !url || !token)
    throw new TypeError(usage);
  if (capacity !== undefined && !/^\d+$/.test(capacity)) throw new TypeError(usage);
  const kubeconfig = readFileSync(values.kubeconfig, "utf8");
  const given = values["token-file"];
  const ownToken = given === undefined ? undefined : readFileSync(given, "utf8").trim();

  const checks = await check(kubeconfig, systemClock);
  for (const { what, outcome } of checks) console.error(`${outcome.padEnd(8)} ${what}`);
  const missing = checks.filter(({ outcome }) => outcome === "missing").length;
  if (missing > 0) throw new AppError("Rejected", `not registered: ${missing} missing`);

  const api = { url, token, fetch };
  const domain = values["base-domain"];
  const { id, outcome } = await register(
    {
      name,
      kubeconfig,
      region,
      ...(capacity !== undefined && { capacity: Number(capacity) }),
      ...(domain !== undefined && { base_domain: domain }),
    },
    api,
  );
  console.error(`${outcome.padEnd(8)} ${name} (${id})`);
  const agentToken = ownToken ?? (await hubToken(id, api));
  process.stdout.write(
    agentValues({ hub: id, api: url, ...(agentToken !== undefined && { token: agentToken }) }),
  );
  console.error(instructions(agentToken));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  for (const { field, message } of error instanceof AppError ? error.violations : []) {
    console.error(`  ${field}: ${message}`);
  }
  process.exitCode = error instanceof AppError ? 1 : 2;
}
