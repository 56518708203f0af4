import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import { systemClock } from "../core/clock.ts";
import { ownAccount } from "../core/ports/hub/own-account.ts";
import { rightsObjects } from "../core/ports/hub/rights-objects.ts";
import { label } from "../core/ports/kubernetes/schema.ts";
import { agentValues, instructions } from "./agent-values.ts";
import { command, WrongCall } from "./command.ts";
import { endpointUsage } from "./endpoint.ts";
import { hubToken } from "./hub-token.ts";
import type { Api } from "./private-api.ts";
import { show } from "./register.ts";
import { check, type Registration, register } from "./register-hub.ts";

/**
 * `npm run hubs -- rights` prints the objects that give Slipway its rights on a hub, for `kubectl
 * apply`. `npm run hubs -- register …` checks that Slipway can use a hub, registers it, and prints
 * the values for the hub agent's chart.
 */

const usage = `usage: npm run --silent hubs -- rights [--name NAME] [--namespace NAMESPACE]
       npm run --silent hubs -- register --name NAME --kubeconfig FILE --region REGION
           [--capacity NUMBER] [--base-domain DOMAIN] [--token-file FILE] [--url URL] [--token TOKEN]
rights: name and namespace of Slipway's service account (${ownAccount.name}, ${ownAccount.namespace})
register: capacity (hosted control planes) and base domain are needed for a hub that is new;
  token-file has the agent's token, where your identity provider issues it
${endpointUsage}`;

const known = [
  "name",
  "namespace",
  "kubeconfig",
  "region",
  "capacity",
  "base-domain",
  "token-file",
] as const;
type Options = Partial<Record<(typeof known)[number], string>>;

await command(usage, known, async ({ words, options, api }) => {
  switch (words.join(" ")) {
    case "rights":
      printRights(options);
      break;
    case "register":
      await registerHub(options, api());
      break;
    default:
      throw new WrongCall("rights or register is needed");
  }
  return true;
});

function printRights(options: Options): void {
  const { name = ownAccount.name, namespace = ownAccount.namespace } = options;
  if (![name, namespace].every((each) => label.safeParse(each).success))
    throw new WrongCall("the name and the namespace must be RFC 1123 labels");
  const documents = rightsObjects({ name, namespace }).map((object) => stringify(object));
  process.stdout.write(documents.join("---\n"));
}

async function registerHub(options: Options, api: Api): Promise<void> {
  const { name, kubeconfig: file, region, capacity, "base-domain": domain } = options;
  if (!name || !file || !region)
    throw new WrongCall("--name, --kubeconfig and --region are needed");
  if (capacity !== undefined && !/^\d+$/.test(capacity))
    throw new WrongCall("--capacity must be a number");
  const kubeconfig = readFileSync(file, "utf8");
  const given = options["token-file"];
  const ownToken = given === undefined ? undefined : readFileSync(given, "utf8").trim();

  const { checks, clusterUid } = await check(kubeconfig, systemClock);
  show(checks);

  const registration: Registration = {
    ...{ name, kubeconfig, region },
    ...(capacity !== undefined && { capacity: Number(capacity) }),
    ...(domain !== undefined && { base_domain: domain }),
    ...(clusterUid !== undefined && { cluster_uid: clusterUid }),
  };
  const { id, outcome, incomplete } = await register(registration, api);
  console.error(`${outcome.padEnd(8)} ${name} (${id})`);
  if (incomplete !== undefined) console.error(incomplete);
  const token = ownToken ?? (await hubToken(id, api));
  const values = { hub: id, api: api.url, ...(token !== undefined && { token }) };
  process.stdout.write(agentValues(values));
  console.error(instructions(token));
}
